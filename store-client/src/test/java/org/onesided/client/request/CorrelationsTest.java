package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.BatchLimits;

class CorrelationsTest
{
    private final Correlations correlations = new Correlations(2);

    @Test
    void shouldKnowTheWriteOfEachSlot()
    {
        correlations.set(0, 17, 100);
        correlations.set(1, 18, 101);

        assertEquals(17, correlations.of(0));
        assertEquals(18, correlations.of(1));
        assertEquals(100, correlations.deadlineNs(0));
        assertEquals(101, correlations.deadlineNs(1));
        assertEquals(0, correlations.puts(0));
        assertFalse(correlations.isOpen(0));
    }

    @Test
    void shouldKnowEachPutOfFullBatches()
    {
        for (int slot = 0; slot < 2; slot++)
        {
            correlations.set(slot, 1000 * slot, 0);
            correlations.open(slot);
            for (int put = 1; put < BatchLimits.MAX_PUTS; put++)
            {
                assertTrue(correlations.isOpen(slot));
                correlations.join(slot, 1000 * slot + put);
            }
        }
        for (int slot = 0; slot < 2; slot++)
        {
            assertEquals(BatchLimits.MAX_PUTS, correlations.puts(slot));
            for (int put = 0; put < BatchLimits.MAX_PUTS; put++)
            {
                assertEquals(1000 * slot + put, correlations.of(slot, put));
            }
        }
    }

    @Test
    void shouldForgetTheBatchOfASlotThatHasAnotherRequest()
    {
        correlations.open(0);
        correlations.join(0, 1);
        correlations.renew(0);

        assertFalse(correlations.isOpen(0));
        assertEquals(0, correlations.puts(0));
    }
}
