package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.Version;

class VersionTest
{
    @Test
    void shouldReadWhatItWrote()
    {
        final Random random = new Random(42);
        for (int i = 0; i < 10_000; i++)
        {
            final long table = random.nextLong() >>> random.nextInt(64);
            final long number = random.nextLong() >>> random.nextInt(64);
            final Version version = new Version(table, number);
            final String text = version.toString();
            assertTrue(text.matches("[0-9a-z]{1,13}-[0-9a-z]{1,13}"), text);
            assertEquals(version, Version.parse(text));
            assertEquals(version.hashCode(), Version.parse(text).hashCode());
            assertEquals(table, Version.parse(text).tableId());
            assertEquals(number, Version.parse(text).number());
        }
    }

    @Test
    void shouldDifferByTableAndByNumber()
    {
        assertNotEquals(new Version(1, 2), new Version(1, 3));
        assertNotEquals(new Version(1, 2), new Version(2, 2));
        assertNotEquals(new Version(1, 2), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "1", "1-", "-1", "1--1", "1-2-3", "+1-2", "1-+2", "01-2", "1-02", "A-1", "1-A",
        "1 -2", "1-2 ", "zzzzzzzzzzzzzz-1", "1-3w5e11264sgsg"})
    void shouldRefuseWhatIsNoVersion(final String text)
    {
        final IllegalArgumentException refused =
            assertThrows(IllegalArgumentException.class, () -> Version.parse(text));
        assertTrue(refused.getMessage().endsWith("version=" + text), refused.getMessage());
    }

    @Test
    void shouldHoldAVersion()
    {
        final MutableVersion version = new MutableVersion();
        assertNull(version.toVersion());
        version.set(1, 2);
        assertEquals(new Version(1, 2), version.toVersion());
        version.set(1, 0);
        assertNull(version.toVersion());
    }
}
