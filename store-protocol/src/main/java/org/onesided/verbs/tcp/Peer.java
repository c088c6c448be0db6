package org.onesided.verbs.tcp;

import java.security.MessageDigest;
import java.util.Arrays;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.VerbsException;

/**
 * The queue pair that one is to be connected to.
 *
 * @param gid    where it listens; null or zero if that is not known.
 * @param port   where it listens, or 0.
 * @param number of the queue pair.
 * @param bytes  of the queue pair.
 */
record Peer(Gid gid, int port, int number, DeviceBytes bytes)
{
    /**
     * @param values of the transition to RTR.
     */
    static Peer of(final QueuePairAttributes values)
    {
        return new Peer(values.addressVector().gid(), values.addressVector().lid(), values.destinationQueuePair(),
            DeviceBytes.decode(values.addressVector().deviceBytes()));
    }

    /**
     * Finds out which of the two connects; both come to the same result. One that distrusts its peer and listens does
     * not, since the peer could name any address.
     *
     * @return whether this one connects to the queue pair whose port, number and bytes are given.
     * @throws VerbsException if neither can.
     */
    boolean connectsTo(final int toPort, final int toNumber, final DeviceBytes to)
    {
        if (port == 0 && toPort == 0)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "neither side listens, open one side's device as tcp:INTERFACE_OR_ADDRESS:PORT: dest_qp_num=" + number);
        }
        if (port != 0 && toPort != 0 && bytes.untrusting() && to.untrusting())
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "neither side trusts the other, one must not listen: dest_qp_num=" + number);
        }
        final int ports = Integer.compare(port, toPort);
        final int numbers = Integer.compare(number, toNumber);
        final int secrets = compare(secret(), to.secret());
        final int order = ports != 0 ? ports : numbers != 0 ? numbers : secrets;
        if (order == 0)
        {
            throw new VerbsException("modify_qp", Errno.EOPNOTSUPP,
                "a queue pair cannot be connected to itself here, use two: dest_qp_num=" + number);
        }
        final boolean connects = port == 0 ||
            toPort != 0 && (bytes.untrusting() != to.untrusting() ? to.untrusting() : order < 0);
        if (!connects && (gid == null || TcpAddress.isUnspecified(gid)))
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "the peer listens at all its addresses, put one that reaches it into the GID: dest_qp_num=" + number);
        }
        return connects;
    }

    /**
     * @return what a connection to the queue pair starts with.
     */
    byte[] secret()
    {
        return bytes.secret();
    }

    private static int compare(final byte[] one, final byte[] other)
    {
        return MessageDigest.isEqual(one, other) ? 0 : Arrays.compareUnsigned(one, other);
    }
}
