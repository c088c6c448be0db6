package org.onesided.client;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.request.WriteTerms;

/**
 * Begins operations with a session's asynchronous view. Not thread-safe.
 */
final class AsyncStart
{
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);

    /** Begins an operation under a correlation; false if there is no room for it now. */
    boolean tryBegin(final AsyncSession async, final AsyncOperation operation, final int correlation)
    {
        final int length = operation.key().length;
        final long deadlineNs = operation.deadlineNs();
        key.wrap(operation.key());
        return switch (operation.name())
        {
            case Operation.GET, Operation.CONTAINS -> async.get(key, 0, length, correlation, deadlineNs);
            case Operation.TTL -> async.ttl(key, 0, length, correlation, deadlineNs);
            case Operation.DELETE -> async.delete(terms(operation), key, 0, length, correlation, deadlineNs);
            case Operation.TOUCH -> async.touch(terms(operation), key, 0, length, correlation, deadlineNs);
            case Operation.INCREMENT -> async.increment(
                terms(operation), key, 0, length, operation.delta(), operation.initial(), correlation, deadlineNs);
            case Operation.APPEND -> async.append(
                terms(operation), key, 0, length, valueOf(operation), 0, value.capacity(), correlation, deadlineNs);
            default -> async.put(
                terms(operation), key, 0, length, valueOf(operation), 0, value.capacity(), correlation, deadlineNs);
        };
    }

    private UnsafeBuffer valueOf(final AsyncOperation operation)
    {
        value.wrap(operation.value());
        return value;
    }

    private static WriteTerms terms(final AsyncOperation operation)
    {
        return operation.options() == null ? WriteTerms.PLAIN : WriteTerms.of(operation.options());
    }
}
