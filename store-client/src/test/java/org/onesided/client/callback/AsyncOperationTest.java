package org.onesided.client.callback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreException;

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

        assertTrue(operation.end(null, null));
        operation.failUntaken(UNSENT);
        assertEquals(List.of(), ends);
        operation.tell();
        assertEquals(List.of("done"), ends);
    }

    @Test
    void shouldNotBeTakenOnceItsCallerWasToldThatItIsUnsent()
    {
        operation.failUntaken(UNSENT);
        assertFalse(operation.take());
        assertFalse(operation.end(null, null));
        assertFalse(operation.expire(UNSENT));
        operation.tell();

        assertEquals(List.of(UNSENT), ends);
    }

    @Test
    void shouldEndOnce()
    {
        assertTrue(operation.take());
        assertFalse(operation.take());
        assertTrue(operation.end(null, UNSENT));
        assertFalse(operation.end(null, null));
        assertFalse(operation.expire(UNSENT));
        assertFalse(operation.isTold());
        operation.tell();
        operation.tell();

        assertTrue(operation.isTold());
        assertEquals(List.of(UNSENT), ends);
    }

    @Test
    void shouldExpireBeforeItWasTakenAndAfter()
    {
        assertTrue(operation.expire(UNSENT));
        assertFalse(operation.take());
        operation.failUntaken(UNSENT);
        assertEquals(List.of(), ends);
        operation.tell();
        assertEquals(List.of(UNSENT), ends);

        final AsyncOperation taken = new AsyncOperation(
            Operation.PUT, new byte[1], new byte[1], 0, (result, failure) -> ends.add("second"));
        assertTrue(taken.take());
        assertTrue(taken.expire(UNSENT));
        taken.tell();
        assertEquals(List.of(UNSENT, "second"), ends);
    }
}
