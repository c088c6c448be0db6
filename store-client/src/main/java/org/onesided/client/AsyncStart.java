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
    boolean tryBegin(final AsyncIntake intake, final AsyncOperation operation, final int correlation)
    {
        final int length = operation.key().length;
        final long deadlineNs = operation.deadlineNs();
        key.wrap(operation.key());
        return switch (operation.name())
        {
            case Operation.GET, Operation.CONTAINS -> intake.get(key, 0, length, correlation, deadlineNs);
            case Operation.TTL -> intake.ttl(key, 0, length, correlation, deadlineNs);
            case Operation.DELETE -> intake.delete(terms(operation), key, 0, length, correlation, deadlineNs);
            case Operation.TOUCH -> intake.touch(terms(operation), key, 0, length, correlation, deadlineNs);
            case Operation.INCREMENT -> intake.increment(
                terms(operation), key, 0, length, operation.delta(), operation.initial(), correlation, deadlineNs);
            case Operation.APPEND -> intake.append(
                terms(operation), key, 0, length, valueOf(operation), 0, value.capacity(), correlation, deadlineNs);
            default -> intake.put(
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
