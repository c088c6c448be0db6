package org.onesided.verbs.shm;

import java.security.SecureRandom;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.soft.SoftCompletionQueue;
import org.onesided.verbs.soft.WorkQueues;

/**
 * How a queue pair finds its peer: each side creates a file, and both use the host's file. The host is the side that
 * does not trust its peer, else the one with the lesser GID and number. The queue pair's lock guards it, except
 * {@link #deviceBytes}.
 */
final class Rendezvous
{
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ContextDirectory directory;
    private final Peers peers;
    private final IntSupplier generations;
    private final WorkQueues queues;
    private volatile DeviceBytes identity;
    /** The file that this side created; null once it uses the peer's. */
    private PairFile ownFile;

    /**
     * @param peers       contexts of peers.
     * @param generations parts of file names that were not used before.
     */
    Rendezvous(
        final ContextDirectory directory, final Peers peers, final IntSupplier generations, final WorkQueues queues)
    {
        this.directory = directory;
        this.peers = peers;
        this.generations = generations;
        this.queues = queues;
    }

    /**
     * @return what the peer is to know; from any thread.
     */
    DeviceBytes deviceBytes()
    {
        return identity;
    }

    /**
     * @return the file this side made; null once it uses the peer's instead.
     */
    PairFile ownFile()
    {
        return ownFile;
    }

    String ownFileName()
    {
        return PairFile.name(queues.number(), identity.generation());
    }

    /**
     * Makes a file with a new name and secret, for another peer.
     */
    void makeFile()
    {
        final byte[] secret = new byte[PairFile.SECRET_LENGTH];
        RANDOM.nextBytes(secret);
        final DeviceBytes next = new DeviceBytes(
            queues.initAttributes().untrustedPeer(), Posix.userId(), generations.getAsInt(), secret);
        ownFile = PairFile.create(directory, PairFile.name(queues.number(), next.generation()), secret);
        identity = next;
        tellQueues(ownFile.own());
    }

    /**
     * Does without the file this side made.
     *
     * @return the file, which is still mapped.
     */
    PairFile dropFile()
    {
        final PairFile dropped = ownFile;
        ownFile = null;
        directory.unlink(ownFileName());
        return dropped;
    }

    void unlink(final String fileName)
    {
        directory.unlink(fileName);
    }

    /**
     * Finds the peer.
     *
     * @param values of the transition to RTR.
     * @param user   gets the connection; if it fails, nothing is left of it.
     * @return what the user returned.
     */
    Runnable meet(final QueuePairAttributes values, final Function<Connection, Runnable> user)
    {
        final AddressVector path = values.addressVector();
        final Gid gid = path.gid();
        if (gid == null)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, "the address vector has no GID");
        }
        final DeviceBytes peerIdentity = DeviceBytes.decode(path.deviceBytes());
        final int peerNumber = values.destinationQueuePair();
        final boolean untrusting = queues.initAttributes().untrustedPeer();
        if (untrusting && peerIdentity.untrusting())
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "neither side trusts the other, one must to share memory: dest_qp_num=" + peerNumber);
        }
        if (queues.sharedReceives() != null && peerIdentity.untrusting())
        {
            throw new VerbsException("modify_qp", Errno.EOPNOTSUPP,
                "a peer that does not trust cannot use a shared receive queue: dest_qp_num=" + peerNumber);
        }
        final int order = compare(directory.gid(), queues.number(), gid, peerNumber);
        final boolean host = untrusting || !peerIdentity.untrusting() && order <= 0;
        final PeerContext peer = peers.join(gid, peerIdentity.userId());
        boolean success = false;
        PairFile claimed = null;
        PeerMemory memory = null;
        try
        {
            memory = peer.isGone() ? new LostPeerMemory() :
                untrusting ? new FilePeerMemory(peer) : new MappedPeerMemory(peer);
            // Claim last, because a claim cannot be withdrawn.
            final String name = PairFile.name(peerNumber, peerIdentity.generation());
            final int fd = host || peer.isGone() ? -Errno.ENOENT : Posix.openAt(peer.directory(), name, Posix.O_RDWR);
            if (fd < 0 && fd != -Errno.ENOENT)
            {
                throw new VerbsException("modify_qp", -fd, "cannot open the peer's queue pair: file=" + name);
            }
            claimed = fd < 0 ? null : claim(fd, peerIdentity, peerNumber);
            final PairFile pair = claimed != null ? claimed : order == 0 ? ownFile.loopback() : ownFile;
            final Runnable leftOver = user.apply(new Connection(pair, peer, memory, peerNumber, identity.secret(),
                claimed != null || order == 0, claimed == null && !host));
            success = true;
            return leftOver;
        }
        finally
        {
            if (!success)
            {
                if (memory != null)
                {
                    memory.close();
                }
                if (claimed != null)
                {
                    claimed.close();
                }
                peers.leave(peer);
            }
        }
    }

    /**
     * The connection's mappings are not used any more.
     */
    void part(final Connection connection)
    {
        connection.close();
        peers.leave(connection.peer());
    }

    /**
     * Tells the peer which channels and which shared receive queue this side has.
     */
    void tellQueues(final PairSide own)
    {
        final ShmSharedReceiveQueue shared = (ShmSharedReceiveQueue)queues.sharedReceives();
        final int sendChannel = channelNumber(queues.sendCompletions());
        final int receiveChannel = channelNumber(queues.receiveCompletions());
        own.queues(
            sendChannel != 0 ? sendChannel : receiveChannel,
            receiveChannel,
            shared == null ? 0 : shared.number(),
            shared == null ? 0 : shared.capacity());
    }

    private PairFile claim(final int fd, final DeviceBytes peer, final int peerNumber)
    {
        try
        {
            return PairFile.claim(
                fd, PairFile.name(peerNumber, peer.generation()), directory.gid(), queues.number(), peer.secret());
        }
        finally
        {
            Posix.close(fd);
        }
    }

    private static int channelNumber(final SoftCompletionQueue completionQueue)
    {
        return completionQueue.channel() instanceof ShmCompletionChannel channel ? channel.number() : 0;
    }

    private static int compare(final Gid gid, final int number, final Gid otherGid, final int otherNumber)
    {
        final int high = Long.compareUnsigned(gid.high(), otherGid.high());
        final int low = Long.compareUnsigned(gid.low(), otherGid.low());
        return high != 0 ? high : low != 0 ? low : Integer.compare(number, otherNumber);
    }
}
