package org.onesided.client.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpiryTest
{
    @Test
    void shouldRoundUpToMilliseconds()
    {
        assertEquals(1, Expiry.after(Duration.ofMillis(1)).milliseconds());
        assertEquals(2, Expiry.after(Duration.ofNanos(1_000_001)).milliseconds());
        assertEquals(Expiry.MAX_TTL.toMillis(), Expiry.after(Expiry.MAX_TTL).milliseconds());
    }

    @ParameterizedTest
    @CsvSource({"PT0S, PT0S", "PT0.000000001S, PT0.000000001S", "PT0.000999999S, PT0.000999999S", "PT-1S, PT-1S",
        "P36525DT1S, 36525 days PT1S", "P100000D, 100000 days"})
    void shouldRefuseATimeThatIsOutOfRange(final String ttl, final String told)
    {
        final IllegalArgumentException refused =
            assertThrows(IllegalArgumentException.class, () -> Expiry.after(Duration.parse(ttl)));

        assertEquals("time to live must be from 1 ms to 36525 days: ttl=" + told, refused.getMessage());
    }

    @Test
    void shouldNameWhatIsMissing()
    {
        assertEquals("ttl", assertThrows(NullPointerException.class, () -> Expiry.after(null)).getMessage());
        assertEquals(
            "ttl", assertThrows(NullPointerException.class, () -> PutOptions.expiringAfter(null)).getMessage());
        assertEquals("time", assertThrows(NullPointerException.class, () -> Expiry.at(null)).getMessage());
    }

    @Test
    void shouldShowDaysAsDays()
    {
        assertEquals("after 36525 days", Expiry.after(Expiry.MAX_TTL).toString());
        assertEquals("after 1 days PT1H", Expiry.after(Duration.ofHours(25)).toString());
        assertEquals("after PT0.5S", Expiry.after(Duration.ofMillis(500)).toString());
    }
}
