package org.onesided.tools.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/**
 * Writes each event as a line of JSON to standard error. Thread-safe.
 */
final class JsonLogger extends LegacyAbstractLogger implements LoggingEventAware
{
    private static final long serialVersionUID = 1L;
    private static final JsonFactory JSON = new JsonFactory();

    /** The lowest level to log. */
    private final Level threshold;

    JsonLogger(final String name, final Level threshold)
    {
        this.name = name;
        this.threshold = threshold;
    }

    @Override
    public boolean isTraceEnabled()
    {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled()
    {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled()
    {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled()
    {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled()
    {
        return isEnabled(Level.ERROR);
    }

    @Override
    public void log(final LoggingEvent event)
    {
        write(event.getLevel(), MessageFormatter.basicArrayFormat(event.getMessage(), event.getArgumentArray()),
            event.getKeyValuePairs(), event.getThrowable());
    }

    @Override
    protected String getFullyQualifiedCallerName()
    {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        final Level level,
        final Marker marker,
        final String pattern,
        final Object[] arguments,
        final Throwable throwable)
    {
        write(level, MessageFormatter.basicArrayFormat(pattern, arguments), null, throwable);
    }

    private boolean isEnabled(final Level level)
    {
        return level.toInt() >= threshold.toInt();
    }

    private void write(
        final Level level, final String message, final List<KeyValuePair> pairs, final Throwable throwable)
    {
        // A single call, so that lines of several threads do not mix.
        System.err.println(line(
            Instant.now(), level, name, Thread.currentThread().getName(), message == null ? "" : message, pairs,
            throwable));
    }

    static String line(
        final Instant time,
        final Level level,
        final String logger,
        final String thread,
        final String message,
        final List<KeyValuePair> pairs,
        final Throwable throwable)
    {
        final LogFields parts = LogFields.of(message);
        final StringWriter line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(line))
        {
            json.writeStartObject();
            json.writeStringField("time", time.toString());
            json.writeStringField("level", level.name());
            json.writeStringField("logger", logger);
            json.writeStringField("thread", thread);
            json.writeStringField("message", parts.text());
            json.writeObjectFieldStart("data");
            for (final Map.Entry<String, String> field : parts.fields().entrySet())
            {
                json.writeStringField(field.getKey(), field.getValue());
            }
            if (pairs != null)
            {
                for (final KeyValuePair pair : pairs)
                {
                    json.writeStringField(pair.key, String.valueOf(pair.value));
                }
            }
            json.writeEndObject();
            if (throwable != null)
            {
                final StringWriter trace = new StringWriter();
                throwable.printStackTrace(new PrintWriter(trace, true));
                json.writeStringField("error", trace.toString());
            }
            json.writeEndObject();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return line.toString();
    }
}
