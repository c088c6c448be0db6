package org.onesided.verbs.tcp;

import java.util.function.Consumer;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.WorkQueues;

/**
 * A queue pair's connection, and how and why it ends. The queue pair's lock guards it.
 */
final class Link implements StreamEnd
{
    private final WorkQueues queues;
    private final Rendezvous rendezvous;
    private final Counters counters;
    private final Consumer<AsyncEvent> events;
    /** Null before the connection begins and after it ends. */
    private volatile Connection connection;
    private ServedConnection served;
    /** Stream of the connection; kept until the queue pair is reset or destroyed. */
    private Stream stream;
    private volatile boolean gone;
    private volatile String failureReason;

    /**
     * @param queues     of the queue pair.
     * @param rendezvous of the queue pair.
     */
    Link(final WorkQueues queues, final Rendezvous rendezvous, final SharedParts parts)
    {
        this.queues = queues;
        this.rendezvous = rendezvous;
        counters = parts.counters();
        events = parts.events();
    }

    /**
     * @return the connection, null if there is none; from any thread.
     */
    Connection connection()
    {
        return connection;
    }

    /**
     * @return the stream of the connection, or of the one that has ended; null if there was none.
     */
    Stream stream()
    {
        return stream;
    }

    /**
     * @return whether the peer is not there any more, or never was; from any thread.
     */
    boolean isGone()
    {
        return gone;
    }

    /**
     * @return READs that may be under way at a time.
     */
    int readDepth()
    {
        return Math.min(queues.attributes().maxReadAtomic(), connection.peerReadDepth());
    }

    /**
     * There is a connection.
     */
    void begin(final Connection begun, final ServedConnection asServed, final Stream ofStream)
    {
        stream = ofStream;
        served = asServed;
        connection = begun;
    }

    /**
     * The connection is to begin anew: no peer has gone yet.
     */
    void restart()
    {
        gone = false;
    }

    /**
     * Ends the connection and forgets the peer.
     *
     * @param again whether there may be another.
     * @return the stream of the connection, which is no longer in use, or null.
     */
    Stream detach(final boolean again)
    {
        final Stream old = stream;
        endConnection();
        stream = null;
        gone = false;
        rendezvous.forget(again);
        if (again)
        {
            failureReason = null;
        }
        return old;
    }

    /**
     * @return why the queue pair failed, or is not connected yet, or null; from any thread.
     */
    String failureReason()
    {
        final String known = failureReason;
        if (known != null)
        {
            return known;
        }
        queues.lock().acquire();
        try
        {
            return failureReason == null ? describeConnecting() : failureReason;
        }
        finally
        {
            queues.lock().release();
        }
    }

    @Override
    public boolean isAlive()
    {
        return queues.state() != QueuePairState.ERR;
    }

    /**
     * Notes why the queue pair fails, before it does and completions tell that it did. The first reason stays.
     *
     * @param reason in one line that ends in its data.
     */
    void because(final String reason)
    {
        if (failureReason == null && isAlive())
        {
            failureReason = reason;
        }
    }

    @Override
    public void terminate(final Fault fault, final long segment, final int length)
    {
        counters.terminated(fault);
        becauseOfPeer(fault.text() + ":");
        stream.terminate(fault, segment, length);
        if (fault.event() != null)
        {
            tell(fault.event());
        }
        queues.failRest();
    }

    /** Ends the connection for want of memory, in favour of the context's other connections. */
    void starve(final VerbsException cause)
    {
        noMemory(cause);
        tell(AsyncEvent.Type.QP_FATAL);
        queues.failRest();
    }

    /** Records that the connection ends for want of memory. */
    void noMemory(final VerbsException cause)
    {
        if (isAlive() && connection != null)
        {
            counters.noMemory();
            becauseOfPeer(cause.getMessage());
        }
    }

    @Override
    public void failPlacing(final long segment, final int length)
    {
        becauseOfPeer("memory that a READ was to fill is not registered any more:");
        stream.terminate(Fault.CATASTROPHIC, segment, length);
        queues.failOldest(CompletionStatus.LOC_PROT_ERR, null);
    }

    @Override
    public void terminated(final boolean aboutRequest, final int control)
    {
        counters.terminateReceived();
        becauseOfPeer("peer ended the connection by a TERMINATE, " + Fault.describe(control));
        if (aboutRequest && queues.sends().hasIssued())
        {
            queues.failOldest(Fault.status(control), null);
        }
        else
        {
            tell(AsyncEvent.Type.QP_FATAL);
            queues.failRest();
        }
    }

    @Override
    public void terminatedMutely()
    {
        counters.terminateReceived();
        becauseOfPeer("peer ended the connection by a TERMINATE without a reason:");
        tell(AsyncEvent.Type.QP_FATAL);
        queues.failRest();
    }

    /**
     * The peer is gone, or never was there.
     *
     * @param reason in one line that ends in its data.
     */
    void lost(final String reason)
    {
        because(reason);
        gone = true;
        endConnection();
        if (queues.sends().hasIssued())
        {
            queues.failOldest(CompletionStatus.RETRY_EXC_ERR, null);
        }
    }

    @Override
    public void lostPeer(final String why)
    {
        becauseOfPeer(why + ":");
        lost(why);
    }

    /**
     * The connection ends, if there is one, and none is asked for any more.
     */
    void endConnection()
    {
        rendezvous.cancel();
        final Connection old = connection;
        if (old != null)
        {
            connection = null;
            stream.end();
            old.in().close();
            old.out().close();
            served.end();
        }
    }

    private String describeConnecting()
    {
        return rendezvous.isConnecting() ? rendezvous.describe() : null;
    }

    private void becauseOfPeer(final String reason)
    {
        final Connection current = connection;
        if (current != null && failureReason == null)
        {
            because(reason + " peer=" + Sockets.peer(current.socket()));
        }
    }

    private void tell(final AsyncEvent.Type event)
    {
        if (isAlive() && connection != null)
        {
            events.accept(new AsyncEvent(event, queues.number(), null, failureReason));
        }
    }
}
