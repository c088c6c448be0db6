package org.onesided.client.session;

import java.util.concurrent.ThreadLocalRandom;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.FirstAttempts;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;

/**
 * The parts of a session that all its operations share: the running operation, the attachment, and buffers for long
 * values. For the session's thread.
 */
public final class SessionCore implements ClientContext.Session, AutoCloseable
{
    private final ClientContext context;
    private final Counters counters = new Counters();
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final String first;

    /**
     * A session that is not open yet.
     *
     * @param context of its client.
     * @param first   name of the operation that it is for.
     */
    public SessionCore(final ClientContext context, final String first)
    {
        this.context = context;
        this.first = first;
        final String address = context.addressText();
        operation = new RunningOperation(first, address, context.configuration().deadlineNs());
        reconnector = new Reconnector(
            operation,
            new ReconnectPace(context.destination().isMoving(), bound -> ThreadLocalRandom.current().nextLong(bound)),
            context::lossReason,
            counters);
        buffers = new OperationBuffers(operation, reconnector, context.device().largeBuffers());
    }

    /**
     * Connects, or fails where that fails.
     *
     * @param deadlineNs nanoseconds that it may take.
     * @param isSpare    whether other sessions do as well. If so, a server without room is asked once.
     * @param requests   of the session.
     * @param reads      what its READs need.
     */
    public void open(
        final long deadlineNs, final boolean isSpare, final PendingRequests requests, final ReadDemand reads)
    {
        if (!context.device().tryRetain())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.unsent(first, operation.server()));
        }
        try
        {
            final Attacher attacher =
                new Attacher(context, operation.deadline(), counters, requests, reads);
            operation.deadline().begin(deadlineNs);
            final Attachment attachment = attach(attacher, isSpare && context.server() != null);
            reconnector.begin(attachment, attacher, requests);
            context.opened(this);
            if (context.isClosed())
            {
                // A concurrent close may have missed this session.
                beginClosing();
            }
        }
        catch (final AttachFailedException e)
        {
            context.device().release();
            throw e.toStoreException(first.equals(Operation.CONNECT) ?
                FailureContext.ofServer(operation.server()) : FailureContext.unsent(first, operation.server()));
        }
        catch (final RuntimeException e)
        {
            context.device().release();
            throw e;
        }
    }

    private Attachment attach(final Attacher attacher, final boolean isSpare) throws AttachFailedException
    {
        final long atNs = operation.deadline().atNs();
        if (context.destination().isMoving())
        {
            return FirstAttempts.follow(
                atNs, isSpare, context::isClosed, () -> attacher.attach(SessionIdentity.NONE));
        }
        return isSpare ? attacher.attach(SessionIdentity.NONE) :
            FirstAttempts.run(atNs, context::isClosed, () -> attacher.attach(SessionIdentity.NONE));
    }

    @Override
    public Attachment attachment()
    {
        return reconnector.attachment();
    }

    @Override
    public Counters counters()
    {
        return counters;
    }

    /**
     * @return the operation that it carries out.
     */
    public RunningOperation operation()
    {
        return operation;
    }

    /**
     * @return its reconnector.
     */
    public Reconnector reconnector()
    {
        return reconnector;
    }

    /**
     * @return room for long values.
     */
    public OperationBuffers buffers()
    {
        return buffers;
    }

    @Override
    public void beginClosing()
    {
        operation.beginClosing();
        reconnector.wakeUp();
    }

    /** Releases the operation's resources. */
    public void endOperation()
    {
        operation.end();
        reconnector.rest();
        reconnector.endRequests();
        buffers.end();
    }

    @Override
    public void close()
    {
        if (operation.close())
        {
            reconnector.close();
            context.ended(this);
            context.device().release();
        }
    }
}
