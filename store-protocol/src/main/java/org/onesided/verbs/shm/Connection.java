package org.onesided.verbs.shm;

import org.agrona.UnsafeApi;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.posix.Posix;

/**
 * A queue pair's connection to its peer: the file they share, the peer's memory, and the ways to wake it. The queue
 * pair's lock guards it.
 */
final class Connection
{
    private static final int READY_FIRST = QueuePairState.RTR.ordinal();
    private static final int READY_LAST = QueuePairState.RTS.ordinal();

    private final PairFile pair;
    private final PairSide peerSide;
    private final PeerContext peer;
    private final PeerMemory memory;
    private final int peerNumber;
    private final byte[] secret;
    /** The peer was not there when the connection was made. */
    private final boolean lost;
    private boolean claimed;
    private int sendChannel;
    private int sendFifo = -1;
    private int receiveChannel;
    private int receiveFifo = -1;

    Connection(
        final PairFile pair,
        final PeerContext peer,
        final PeerMemory memory,
        final int peerNumber,
        final byte[] secret,
        final boolean claimed,
        final boolean lost)
    {
        this.pair = pair;
        peerSide = pair.peer();
        this.peer = peer;
        this.memory = memory;
        this.peerNumber = peerNumber;
        this.secret = secret;
        this.claimed = claimed;
        this.lost = lost;
    }

    PairFile pair()
    {
        return pair;
    }

    PeerContext peer()
    {
        return peer;
    }

    PeerMemory memory()
    {
        return memory;
    }

    boolean isClaimed()
    {
        return claimed;
    }

    boolean isPeerGone()
    {
        return lost || peer.isGone();
    }

    /**
     * @return whether the peer's claim can be accepted or refused now.
     */
    boolean hasNewClaim()
    {
        return !claimed && pair.isClaimed();
    }

    /**
     * @return false if another than the peer claimed the queue pair.
     */
    boolean acceptClaim()
    {
        claimed = pair.isClaimValid(peer.gid(), peerNumber, secret);
        return claimed;
    }

    /**
     * @return whether the peer answers requests.
     */
    boolean isReady()
    {
        final int state = peerSide.state();
        return claimed && state >= READY_FIRST && state <= READY_LAST;
    }

    /**
     * @return whether the peer will not answer requests any more.
     */
    boolean isOver()
    {
        return claimed && peerSide.state() > READY_LAST;
    }

    /**
     * Wakes the peer if it asked for that, after something was done that it must see.
     *
     * @param receive bits that stand for its receives.
     * @param send    bits that stand for its sends.
     */
    void wake(final int receive, final int send)
    {
        final int wanted = pair.peer().wantedNow() & (receive | send);
        if (wanted != 0 && claimed)
        {
            pair.peer().clearWakeUps(wanted);
            final boolean sameChannel = pair.peer().sendChannel() == pair.peer().receiveChannel();
            // A thread that waits on either channel continues the sends.
            if ((wanted & receive) != 0 || (wanted & send) != 0 && !sameChannel)
            {
                ringReceiver();
            }
            if ((wanted & send) != 0)
            {
                ringSender();
            }
        }
    }

    /**
     * Wakes the peer to empty the ring, even if it did not ask to be woken for that.
     */
    void wakeForRoom()
    {
        UnsafeApi.fullFence();
        ringReceiver();
        if (pair.peer().sendChannel() != pair.peer().receiveChannel())
        {
            ringSender();
        }
    }

    /**
     * Tells the peer of a fault in what this side asked of it, and wakes it however it sleeps.
     */
    void fault(final int fault)
    {
        if (pair.own().fault() == 0)
        {
            pair.own().fault(fault);
            ringReceiver();
            ringSender();
            final int events = peer.openFifo(FileNames.EVENTS);
            peer.ring(events);
            Posix.close(events);
        }
    }

    void close()
    {
        memory.close();
        Posix.close(sendFifo);
        Posix.close(receiveFifo);
    }

    private void ringSender()
    {
        final int channel = pair.peer().sendChannel();
        if (channel != sendChannel)
        {
            Posix.close(sendFifo);
            sendFifo = channel == 0 ? -1 : peer.openFifo(FileNames.channel(channel));
            sendChannel = channel;
        }
        peer.ring(sendFifo);
    }

    private void ringReceiver()
    {
        final int channel = pair.peer().receiveChannel();
        if (channel != receiveChannel)
        {
            Posix.close(receiveFifo);
            receiveFifo = channel == 0 ? -1 : peer.openFifo(FileNames.channel(channel));
            receiveChannel = channel;
        }
        peer.ring(receiveFifo);
    }
}
