package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MtuTest
{
    @Test
    void shouldTranslateBothWays()
    {
        final int[] sizes = { 256, 512, 1024, 2048, 4096 };
        for (int i = 0; i < sizes.length; i++)
        {
            assertEquals(sizes[i], Mtu.bytes(i + 1));
            assertEquals(i + 1, Mtu.code(sizes[i]));
        }
    }

    @Test
    void shouldTellWhatIsNotKnownByZero()
    {
        for (final int code : new int[]{ -1, 0, 6, 33 })
        {
            assertEquals(0, Mtu.bytes(code));
        }
        for (final int bytes : new int[]{ 0, 128, 255, 1500, 8192 })
        {
            assertEquals(0, Mtu.code(bytes));
        }
    }
}
