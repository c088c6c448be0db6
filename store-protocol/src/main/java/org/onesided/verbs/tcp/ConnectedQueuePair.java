package org.onesided.verbs.tcp;

import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.SoftProtectionDomain;
import org.onesided.verbs.soft.SoftQueuePair;

/**
 * A queue pair's connection, how it ends and why. The queue pair's lock guards it.
 */
abstract class ConnectedQueuePair extends SoftQueuePair
{
    /** That it was made from. */
    final TcpContext context;
    /** Null as long as there is none, and again once it has ended. */
    volatile Connection connection;
    /** Of the connection; stays until the queue pair is reset or destroyed. */
    Stream stream;
    /** Whether the peer is not there any more, or never was. */
    volatile boolean gone;
    private volatile String failureReason;

    ConnectedQueuePair(
        final TcpContext context,
        final SoftProtectionDomain domain,
        final QueuePairInitAttributes attributes,
        final int number)
    {
        super(context, domain, attributes, number);
        this.context = context;
    }

    @Override
    public final String failureReason()
    {
        final String known = failureReason;
        if (known != null)
        {
            return known;
        }
        lock().acquire();
        try
        {
            return failureReason == null ? describeConnecting() : failureReason;
        }
        finally
        {
            lock().release();
        }
    }

    final boolean isAlive()
    {
        return currentState() != QueuePairState.ERR;
    }

    /**
     * Notes why the queue pair fails, before it does and completions tell that it did. The first reason stays.
     *
     * @param reason in one line that ends in its data.
     */
    final void because(final String reason)
    {
        if (failureReason == null && isAlive())
        {
            failureReason = reason;
        }
    }

    final void forgetReason()
    {
        failureReason = null;
    }

    /**
     * Ends the connection because of what the peer did.
     *
     * @param fault   what is wrong.
     * @param segment address of the segment it was found in, or 0.
     * @param length  of the segment.
     */
    final void terminate(final Fault fault, final long segment, final int length)
    {
        context.counters().terminated(fault);
        becauseOfPeer(fault.text() + ":");
        stream.terminate(fault, segment, length);
        if (fault.event() != null)
        {
            tell(fault.event());
        }
        failRest();
    }

    /** Without memory to go on with: the others of this context may be better off without this one. */
    final void starve(final VerbsException cause)
    {
        noMemory(cause);
        tell(AsyncEvent.Type.QP_FATAL);
        failRest();
    }

    /** Notes and counts that the connection is about to end for want of memory. */
    final void noMemory(final VerbsException cause)
    {
        if (isAlive() && connection != null)
        {
            context.counters().noMemory();
            becauseOfPeer(cause.getMessage());
        }
    }

    /**
     * A response cannot be placed any more: this side took the memory away.
     */
    final void failPlacing(final long segment, final int length)
    {
        becauseOfPeer("memory that a READ was to fill is not registered any more:");
        stream.terminate(Fault.CATASTROPHIC, segment, length);
        failOldest(CompletionStatus.LOC_PROT_ERR, null);
    }

    /**
     * The peer ended the connection by a TERMINATE.
     *
     * @param aboutRequest whether it is about a request that is not done.
     * @param control      layer, type and code of the TERMINATE, see {@link Fault#control}.
     */
    final void terminated(final boolean aboutRequest, final int control)
    {
        context.counters().terminateReceived();
        becauseOfPeer("peer ended the connection by a TERMINATE, " + Fault.describe(control));
        if (aboutRequest && hasIssued())
        {
            failOldest(Fault.status(control), null);
        }
        else
        {
            tell(AsyncEvent.Type.QP_FATAL);
            failRest();
        }
    }

    /**
     * The peer ended the connection by a TERMINATE that is too short to say why.
     */
    final void terminatedMutely()
    {
        context.counters().terminateReceived();
        becauseOfPeer("peer ended the connection by a TERMINATE that says nothing:");
        tell(AsyncEvent.Type.QP_FATAL);
        failRest();
    }

    /**
     * The peer is gone, or never was there.
     *
     * @param reason in one line that ends in its data.
     */
    final void lost(final String reason)
    {
        because(reason);
        gone = true;
        endConnection();
        if (hasIssued())
        {
            failOldest(CompletionStatus.RETRY_EXC_ERR, null);
        }
    }

    /**
     * The connection is lost.
     *
     * @param why in words, behind which the peer is told.
     */
    final void lostPeer(final String why)
    {
        becauseOfPeer(why + ":");
        lost(why);
    }

    /**
     * The connection ends, if there is one, and none is asked for any more.
     */
    final void endConnection()
    {
        stopConnecting();
        final Connection old = connection;
        if (old != null)
        {
            connection = null;
            stream.end();
            old.in().close();
            old.out().close();
            old.leave();
            context.progress().retire(old);
        }
    }

    /**
     * @return why the peer's device has not taken the connection yet that this side asks for; null if it asks for none.
     */
    abstract String describeConnecting();

    /**
     * No connection is asked for any more.
     */
    abstract void stopConnecting();

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
            context.tell(event, number(), failureReason);
        }
    }
}
