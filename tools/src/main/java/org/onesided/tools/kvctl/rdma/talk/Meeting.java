package org.onesided.tools.kvctl.rdma.talk;

import java.time.Duration;

/**
 * How two sides meet over TCP: one listens, the other connects.
 *
 * @param host    to connect to; null to listen.
 * @param listen  address to listen on; null for all addresses.
 * @param port    to connect to or to listen on, 0 to 65535; 0 to listen on any free one.
 * @param timeout longest wait for each step of the peer.
 */
public record Meeting(String host, String listen, int port, Duration timeout)
{
    private static final int MAX_PORT = 65_535;

    /**
     * @param host    see there.
     * @param listen  see there.
     * @param port    see there.
     * @param timeout see there.
     * @throws TalkException if the port is out of its range.
     */
    public Meeting
    {
        final int least = host == null ? 0 : 1;
        if (port < least || port > MAX_PORT)
        {
            throw new TalkException(
                TalkException.Kind.USAGE, "--port must be " + least + " to " + MAX_PORT + ": --port=" + port);
        }
    }

    boolean isClient()
    {
        return host != null;
    }

    long timeoutNs()
    {
        return timeout.toNanos();
    }
}
