package org.onesided.tools.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

class JsonLoggerTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "stopping|stopping|{}",
        "listening: address=127.0.0.1:1 device=shm|listening|{address=127.0.0.1:1, device=shm}",
        "shard failed, stopping: cause=a b, c d=e|shard failed, stopping|{cause=a b, c, d=e}",
        "give --memory=2g|give --memory=2g|{}",
        "a=b|''|{a=b}",
        "x: y=|x|{y=}",
    })
    void shouldTakeTheDataOffTheMessage(final String message, final String text, final String fields)
    {
        final LogFields parts = LogFields.of(message);

        assertEquals(text, parts.text());
        assertEquals(fields, parts.fields().toString());
    }

    @Test
    void shouldWriteALineOfJson()
    {
        assertEquals(
            "{\"time\":\"1970-01-01T00:00:00Z\",\"level\":\"INFO\",\"logger\":\"a.B\",\"thread\":\"main\"," +
                "\"message\":\"a \\\"thing\\\"\\n\",\"data\":{\"k\":\"v w\",\"n\":\"1\"}}",
            JsonLogger.line(Instant.EPOCH, Level.INFO, "a.B", "main", "a \"thing\"\n: k=v w",
                List.of(new KeyValuePair("n", 1)), null));
    }

    @Test
    void shouldPutAStackTraceIntoTheSameLine()
    {
        final String line = JsonLogger.line(
            Instant.EPOCH, Level.ERROR, "a.B", "main", "failed", null, new IllegalStateException("it broke"));

        assertEquals(1, line.lines().count());
        assertTrue(line.contains("\"error\":\"java.lang.IllegalStateException: it broke\\n\\tat "), line);
    }

    @Test
    void shouldLogFromItsLevelOn()
    {
        final JsonLogger logger = new JsonLogger("a.B", Level.WARN);

        assertEquals(
            Map.of(Level.TRACE, false, Level.DEBUG, false, Level.INFO, false, Level.WARN, true, Level.ERROR, true),
            Map.of(Level.TRACE, logger.isTraceEnabled(), Level.DEBUG, logger.isDebugEnabled(),
                Level.INFO, logger.isInfoEnabled(), Level.WARN, logger.isWarnEnabled(),
                Level.ERROR, logger.isErrorEnabled()));
    }
}
