package org.onesided.client;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The parts of a session that its operations share: the one that runs, the attachment, room for long values, and the
 * engine for requests. For the session's thread.
 */
final class SessionCore implements AutoCloseable
{
    private final ClientContext context;
    private final Counters counters = new Counters();
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final RequestEngine engine;

    /**
     * Connects, or fails where that fails.
     *
     * @param first      name of the operation that it is for.
     * @param deadlineNs nanoseconds that it may take.
     * @param isSpare    whether other sessions do as well. If so, a server without room is asked once.
     */
    SessionCore(final ClientContext context, final String first, final long deadlineNs, final boolean isSpare)
    {
        this.context = context;
        final String address = context.addressText();
        operation = new RunningOperation(first, address, context.configuration().deadlineNs());
        reconnector = new Reconnector(
            operation,
            new ReconnectPace(bound -> ThreadLocalRandom.current().nextLong(bound)),
            context::lossReason,
            counters);
        buffers = new OperationBuffers(operation, reconnector, context.device().largeBuffers());
        engine = new RequestEngine(operation, reconnector, counters);
        if (!context.device().tryRetain())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.unsent(first, address));
        }
        try
        {
            final Attacher attacher =
                new Attacher(context, operation.deadline(), counters, buffers::longRecord, engine);
            operation.deadline().begin(deadlineNs);
            final Attachment attachment = isSpare && context.server() != null ?
                attacher.attach(SessionIdentity.NONE, null) :
                FirstAttempts.run(operation.deadline().atNs(), context::isClosed,
                    () -> attacher.attach(SessionIdentity.NONE, null));
            reconnector.begin(attachment, attacher, engine);
            context.opened(this);
            if (context.isClosed())
            {
                // The close may not have seen this one.
                beginClosing();
            }
        }
        catch (final AttachFailedException e)
        {
            context.device().release();
            throw e.toStoreException(first.equals(Operation.CONNECT) ?
                FailureContext.ofServer(address) : FailureContext.unsent(first, address));
        }
        catch (final RuntimeException e)
        {
            context.device().release();
            throw e;
        }
    }

    /** Safe to ask from any thread. */
    Counters counters()
    {
        return counters;
    }

    RunningOperation operation()
    {
        return operation;
    }

    Reconnector reconnector()
    {
        return reconnector;
    }

    OperationBuffers buffers()
    {
        return buffers;
    }

    RequestEngine engine()
    {
        return engine;
    }

    /** Makes operations fail, those that wait as well, since the client is closed. Safe to call from any thread. */
    void beginClosing()
    {
        operation.beginClosing();
        reconnector.wakeUp();
    }

    /** Makes what carries out puts and deletes one at a time. */
    SessionWrites newWrites()
    {
        return new SessionWrites(operation, reconnector, buffers, engine);
    }

    /** Gives back what the operation held. */
    void endOperation()
    {
        operation.end();
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
