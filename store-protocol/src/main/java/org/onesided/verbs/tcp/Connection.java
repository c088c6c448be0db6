package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A queue pair's connection: its socket, the bytes in both directions, and which thread serves it. The queue pair's
 * lock guards the stream.
 *
 * <p>The progress thread serves passive (accepted) connections. Threads that poll or sleep serve active connections;
 * the progress thread serves them only while no other thread does, see {@link Attendance}.
 */
final class Connection
{
    /** After so many empty polls of an idle connection, most polls skip it. */
    private static final int KEEN_POLLS = 64;
    /** Mask of the polls that do not skip an idle connection. */
    private static final int IDLE_POLL_MASK = 7;

    private final SocketChannel socket;
    private final SelectionKey key;
    private final boolean active;
    private final int peerReadDepth;
    private final BooleanSupplier hasMoreToSend;
    private final FrameReader in;
    private final FrameWriter out;
    private final Silence silence = new Silence();
    private final AtomicInteger sleepers = new AtomicInteger();
    private volatile boolean established;
    private volatile boolean abandoned;
    /** Whether the peer must send something, or bytes wait to be sent. */
    private boolean busy;
    /** Whether the socket was ready. */
    private boolean ready;
    /** Whether the socket did not accept all bytes of the last write. */
    private boolean full;
    /** Whether the peer was asked for the only thing just now, so that its answer cannot be there. */
    private boolean justAsked;
    private int idlePolls;
    private volatile boolean polled;
    private volatile boolean unattended;
    private int interest;

    /**
     * @param hasMoreToSend whether there are frames to build once the socket accepts them.
     * @param key           of the socket with the progress thread's selector; without interest.
     * @param active        whether this side connected.
     * @param peerReadDepth READs that the peer answers at a time.
     */
    Connection(
        final BooleanSupplier hasMoreToSend,
        final SocketChannel socket,
        final SelectionKey key,
        final StagingPool pool,
        final boolean active,
        final int peerReadDepth)
    {
        this.hasMoreToSend = hasMoreToSend;
        this.socket = socket;
        this.key = key;
        this.active = active;
        this.peerReadDepth = peerReadDepth;
        in = new FrameReader(pool);
        out = new FrameWriter(pool);
        established = active;
    }

    SocketChannel socket()
    {
        return socket;
    }

    boolean isActive()
    {
        return active;
    }

    int peerReadDepth()
    {
        return peerReadDepth;
    }

    FrameReader in()
    {
        return in;
    }

    FrameWriter out()
    {
        return out;
    }

    Silence silence()
    {
        return silence;
    }

    /**
     * @return whether nothing that was sent is to reach the peer any more.
     */
    boolean isAbandoned()
    {
        return abandoned;
    }

    /**
     * The peer is gone: closing the socket discards the kernel's buffers for it.
     */
    void abandon()
    {
        abandoned = true;
    }

    /**
     * @return whether frames may be sent: the side that was connected to waits for the other's first.
     */
    boolean isEstablished()
    {
        return established;
    }

    void establish()
    {
        established = true;
    }

    /**
     * Makes room by writing, if need be and possible.
     *
     * @return whether a frame with a ULPDU of that length can be built.
     */
    boolean makeRoom(final int ulpduLength)
    {
        return out.makeRoom(ulpduLength) || flush() && out.makeRoom(ulpduLength);
    }

    /**
     * Writes as much as the socket takes.
     *
     * @return false if the connection is lost.
     */
    boolean flush()
    {
        try
        {
            final long written = out.written();
            final boolean all = out.flush(socket);
            if (full && out.written() != written)
            {
                silence.end();
            }
            full = !all;
            return true;
        }
        catch (final IOException ex)
        {
            // Reading reports the failure, after the bytes that the peer sent before.
            out.close();
            ready = true;
            return false;
        }
    }

    /**
     * @return whether there is more to send once the socket accepts it.
     */
    boolean wantsWrite()
    {
        return !out.isEmpty() || hasMoreToSend.getAsBoolean();
    }

    /**
     * Something was asked of the peer.
     *
     * @param alone whether nothing else can be on its way from the peer.
     */
    void expect(final boolean alone)
    {
        justAsked = alone && !busy;
        busy = true;
    }

    /**
     * Counts a poll of an active connection.
     *
     * @return whether to poll the socket.
     */
    boolean countPoll()
    {
        if (!polled)
        {
            polled = true;
        }
        if (justAsked)
        {
            justAsked = false;
            return ready;
        }
        return busy || ready || idlePolls++ < KEEN_POLLS || (idlePolls & IDLE_POLL_MASK) == 0;
    }

    /**
     * The socket is being looked at.
     */
    void looked()
    {
        ready = false;
    }

    /**
     * Something came.
     *
     * @param more whether more is expected.
     */
    void heard(final boolean more)
    {
        busy = more;
        idlePolls = 0;
        silence.end();
    }

    /**
     * Somebody is about to sleep on the socket.
     *
     * @param channelKey of the socket with that one's selector.
     */
    void beginSleep(final SelectionKey channelKey)
    {
        sleepers.incrementAndGet();
        setInterest(channelKey, wantsWrite() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    void endSleep()
    {
        polled = true;
        sleepers.decrementAndGet();
    }

    /**
     * The thread that slept on the socket is awake by now.
     */
    void foundReady()
    {
        ready = true;
    }

    boolean isSleptOn()
    {
        return sleepers.get() != 0;
    }

    /**
     * @return whether it was polled since the last call; for the progress thread.
     */
    boolean takePolled()
    {
        final boolean was = polled;
        if (was)
        {
            polled = false;
        }
        return was;
    }

    /**
     * @return whether a thread polls the connection or sleeps on it.
     */
    boolean isAttended()
    {
        return polled || isSleptOn();
    }

    /**
     * @return whether the progress thread serves an active connection.
     */
    boolean isUnattended()
    {
        return unattended;
    }

    /**
     * @param value whether the progress thread, which calls this, serves an active connection.
     */
    void unattended(final boolean value)
    {
        unattended = value;
        updateInterest();
    }

    /**
     * Registers for the events that the connection waits for; called by the progress thread.
     */
    void updateInterest()
    {
        final int wanted = active && !unattended ? 0 :
            wantsWrite() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (wanted != interest)
        {
            interest = wanted;
            setInterest(key, wanted);
        }
    }

    SelectionKey key()
    {
        return key;
    }

    private static void setInterest(final SelectionKey key, final int interest)
    {
        try
        {
            if (key.interestOps() != interest)
            {
                key.interestOps(interest);
            }
        }
        catch (final CancelledKeyException ex)
        {
            // The connection ended meanwhile.
            return;
        }
    }
}
