package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import org.onesided.verbs.QueuePairAttributes;

/**
 * How a queue pair finds its peer: which side connects, and the secrets that both present. The queue pair's lock guards
 * it, except {@link #deviceBytes}.
 */
final class Rendezvous
{
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Progress progress;
    private final int port;
    private final int maxReads;
    private final int number;
    private final boolean untrusting;
    private volatile byte[] secret = newSecret();
    private Peer peer;
    private Initiator initiator;
    private boolean passive;

    /**
     * @param port       where the device listens, or 0.
     * @param maxReads   that the queue pair may have under way at a time.
     * @param number     of the queue pair.
     * @param untrusting whether the peer is not trusted.
     */
    Rendezvous(
        final Progress progress, final int port, final int maxReads, final int number, final boolean untrusting)
    {
        this.progress = progress;
        this.port = port;
        this.maxReads = maxReads;
        this.number = number;
        this.untrusting = untrusting;
    }

    /**
     * @return what the peer is to know.
     */
    DeviceBytes deviceBytes()
    {
        return new DeviceBytes(untrusting, secret);
    }

    /**
     * Learns of the peer, and connects to it if that is this side's part.
     *
     * @param values of the transition to RTR.
     * @param owner  gets the connection that this side asks for.
     */
    void begin(final QueuePairAttributes values, final Initiator.Owner owner)
    {
        final Peer named = Peer.of(values);
        passive = named.connectsTo(port, number, deviceBytes());
        peer = named;
        if (!passive)
        {
            initiator = new Initiator(progress, number, named, MpaStart.request(values.maxDestinationReadAtomic(),
                maxReads, named.number(), number, named.secret()), secret, owner);
            progress.execute(initiator::begin);
        }
    }

    /**
     * @return whether the peer is to connect.
     */
    boolean isPassive()
    {
        return passive;
    }

    /**
     * @return whether this side asks the peer for a connection and has no answer yet.
     */
    boolean isConnecting()
    {
        return initiator != null;
    }

    /**
     * @return why there is no connection yet, in one line that ends in its data.
     */
    String describe()
    {
        return initiator != null ? initiator.describe() :
            "peer has not connected to this device, let it reach the port: port=" + port +
                " dest_qp_num=" + (peer == null ? 0 : peer.number());
    }

    boolean hasSecret(final MpaStart start)
    {
        return start.hasSecret(secret);
    }

    /**
     * Answers a peer that has connected.
     *
     * @param start its request.
     * @param depth READs that this side answers at a time.
     * @return whether it was told.
     */
    boolean accept(final MpaStart start, final SocketChannel socket, final int depth) throws IOException
    {
        return socket.write(MpaStart.reply(depth, maxReads, number,
            start.initiator(), peer.secret())) == MpaStart.LENGTH;
    }

    /**
     * An initiator has come to its end.
     *
     * @return whether it is the one that is waited for.
     */
    boolean end(final Initiator asked)
    {
        final boolean awaited = initiator == asked;
        initiator = awaited ? null : initiator;
        return awaited;
    }

    /**
     * Stops connecting.
     */
    void cancel()
    {
        if (initiator != null)
        {
            initiator.cancel();
            initiator = null;
        }
    }

    /**
     * Forgets the peer.
     *
     * @param again whether there may be another, which has to know another secret.
     */
    void forget(final boolean again)
    {
        passive = false;
        if (again)
        {
            secret = newSecret();
        }
    }

    private static byte[] newSecret()
    {
        final byte[] bytes = new byte[MpaStart.SECRET_LENGTH];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
