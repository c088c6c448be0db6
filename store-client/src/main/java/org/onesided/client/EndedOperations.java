package org.onesided.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.KeyText;

/**
 * A client's asynchronous operations that have ended, until their ends are told; and the failures of those that nobody
 * carries out. Thread-safe.
 */
final class EndedOperations
{
    private final ClientContext context;
    private final BooleanSupplier isClosed;
    private final Queue<AsyncOperation> untold = new ConcurrentLinkedQueue<>();

    /**
     * @param isClosed whether the client is.
     */
    EndedOperations(final ClientContext context, final BooleanSupplier isClosed)
    {
        this.context = context;
        this.isClosed = isClosed;
    }

    /** The thread that removes one tells its end. */
    Queue<AsyncOperation> untold()
    {
        return untold;
    }

    /** Ends an operation, unless it has ended. */
    void end(final AsyncOperation operation, final Object result, final StoreException failure)
    {
        if (operation.end(result, isOfClose(failure) ? closedMeanwhile(operation, failure) : failure))
        {
            untold.add(operation);
        }
    }

    /** Ends an operation whose time is up though it was begun, unless it has ended. */
    void expire(final AsyncOperation operation)
    {
        if (operation.expire(unanswered(operation)))
        {
            untold.add(operation);
        }
    }

    StoreClosedException closed(final AsyncOperation operation)
    {
        return new StoreClosedException(
            "client was closed, build another", about(operation, Operation.unsentFate(operation.name())));
    }

    StoreDeadlineException late(final AsyncOperation operation)
    {
        return new StoreDeadlineException("deadline passed before it could begin",
            about(operation, Operation.unsentFate(operation.name())));
    }

    StoreDisconnectedException failed(final AsyncOperation operation, final String reason)
    {
        return new StoreDisconnectedException("session failed: " + reason, about(operation, unknown(operation)));
    }

    FailureContext about(final AsyncOperation operation, final WriteFate fate)
    {
        return new FailureContext(
            operation.name(), KeyText.of(operation.key()), context.addressText(), fate);
    }

    /** An attempt to connect that the close interrupts fails as one that did not succeed. */
    private boolean isOfClose(final StoreException failure)
    {
        return isClosed.getAsBoolean() &&
            (failure instanceof StoreDisconnectedException || failure instanceof StoreConnectException);
    }

    private StoreClosedException closedMeanwhile(final AsyncOperation operation, final StoreException failure)
    {
        return new StoreClosedException("client was closed meanwhile", about(operation, failure.writeFate()), failure);
    }

    private StoreDeadlineException unanswered(final AsyncOperation operation)
    {
        return new StoreDeadlineException(
            "deadline passed while a callback kept the client's thread, let it depend by an Async method or give the " +
                "client an executor",
            about(operation, unknown(operation)));
    }

    private static WriteFate unknown(final AsyncOperation operation)
    {
        return operation.isLookup() ? WriteFate.NONE : WriteFate.UNKNOWN;
    }
}
