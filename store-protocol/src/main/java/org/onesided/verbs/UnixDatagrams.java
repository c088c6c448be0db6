package org.onesided.verbs;

import java.util.ServiceLoader;

/**
 * Sends datagrams to Unix sockets, which the JDK cannot. Thread-safe.
 */
public interface UnixDatagrams
{
    /** Most bytes of an address, the NUL at the end of a path or at the start of an abstract name included. */
    int MAX_ADDRESS_LENGTH = 108;

    /**
     * Sends one datagram, from a socket of its own.
     *
     * @param address   absolute path of the receiver's socket, or {@code @NAME} for one in the abstract namespace.
     * @param message   to send.
     * @param longestMs how long to wait, in milliseconds from 1, while the receiver's queue is full.
     * @return 0 if it was sent, or the reason why not as a negative errno: {@code EINVAL} for an address that is none,
     *         {@code EAGAIN} if the receiver's queue stayed full, {@code ECONNREFUSED} or {@code ENOENT} if nobody
     *         receives there.
     */
    int send(String address, byte[] message, int longestMs);

    /**
     * @return those of the system.
     * @throws VerbsException with {@code ENOSYS} if there are none.
     */
    static UnixDatagrams system()
    {
        return ServiceLoader.load(UnixDatagrams.class, UnixDatagrams.class.getClassLoader()).findFirst()
            .orElseThrow(() -> new VerbsException("sendto", Errno.ENOSYS, "there are no datagrams of Unix sockets"));
    }
}
