package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AsyncOperationTest
{
    private static final StoreException UNSENT =
        new StoreClosedException("unsent", FailureContext.unsent(Operation.PUT, "test"));

    private final List<Object> ends = new ArrayList<>();
    private final AsyncOperation operation = new AsyncOperation(
        Operation.PUT, new byte[1], new byte[1], 0, (result, failure) -> ends.add(failure == null ? "done" : failure));

    @Test
    void shouldNotBeSaidToBeUnsentOnceItWasTaken()
    {
        assertTrue(operation.take());
        operation.failUntaken(UNSENT);
        assertEquals(List.of(), ends);

        operation.succeed(null);
        operation.failUntaken(UNSENT);
        assertEquals(List.of("done"), ends);
    }

    @Test
    void shouldNotBeTakenOnceItsCallerWasToldThatItIsUnsent()
    {
        operation.failUntaken(UNSENT);
        assertFalse(operation.take());
        operation.succeed(null);
        operation.fail(UNSENT);

        assertEquals(List.of(UNSENT), ends);
    }

    @Test
    void shouldEndOnce()
    {
        assertTrue(operation.take());
        assertFalse(operation.take());
        operation.fail(UNSENT);
        operation.succeed(null);

        assertEquals(List.of(UNSENT), ends);
    }
}
