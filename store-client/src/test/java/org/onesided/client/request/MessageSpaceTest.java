package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.session.TestMemory;

class MessageSpaceTest
{
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 8192})
    void shouldBeginACacheLineWithEachMessageAndLeaveItItsLength(final int messageLength)
    {
        try (TestMemory memory = new TestMemory())
        {
            final long length = MessageSpace.length(2, 3, messageLength);
            final MessageSpace space = new MessageSpace(memory.buffer(length), messageLength);
            final long first = space.address(0);
            for (int slot = 1; slot < 6; slot++)
            {
                assertEquals(0, (space.address(slot) - first) % 64);
                assertTrue(space.address(slot) - space.address(slot - 1) >= messageLength);
            }
            assertTrue(space.address(5) + messageLength <= first + length);
        }
    }

    @Test
    void shouldWasteNoLine()
    {
        assertEquals(64, MessageSpace.stride(64));
        assertEquals(128, MessageSpace.stride(65));
    }
}
