package org.onesided.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails where servers and clients log an error, or a thread of theirs dies, though nothing else went wrong: those of
 * this process by what it writes to its standard error meanwhile, others by the lines that they are seen to write. To
 * be registered with a test as an extension, or begun and checked by itself.
 */
public final class LoggedErrors implements BeforeEachCallback, AfterEachCallback
{
    private static final Object LOCK = new Object();
    private static final StringBuilder WRITTEN = new StringBuilder();

    private int begin;

    /**
     * @param line of a log or of standard error.
     * @return whether it tells of level ERROR, or of a thread that dies.
     */
    public static boolean isError(final String line)
    {
        return line.contains(" ERROR ") || line.startsWith("Exception in thread ");
    }

    /**
     * @return a watch over what this process logs from now on.
     */
    public static LoggedErrors begin()
    {
        final LoggedErrors errors = new LoggedErrors();
        errors.beforeEach(null);
        return errors;
    }

    /**
     * @throws AssertionError if an error was logged since the beginning.
     */
    public void check()
    {
        final String errors;
        synchronized (LOCK)
        {
            errors = WRITTEN.substring(begin);
            begin = WRITTEN.length();
        }
        if (!errors.isEmpty())
        {
            throw new AssertionError("an error was logged: " + errors);
        }
    }

    @Override
    public void beforeEach(final ExtensionContext context)
    {
        synchronized (LOCK)
        {
            if (!(System.err instanceof Tap))
            {
                System.setErr(new Tap(System.err));
            }
            begin = WRITTEN.length();
        }
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        check();
    }

    /** Passes all on, and notes errors. */
    private static final class Tap extends PrintStream
    {
        Tap(final PrintStream to)
        {
            super(to, true, UTF_8);
        }

        @Override
        public void print(final String text)
        {
            note(String.valueOf(text));
            super.print(text);
        }

        @Override
        public void println(final String text)
        {
            note(String.valueOf(text));
            super.println(text);
        }

        @Override
        public void println(final Object value)
        {
            final String text = Objects.toString(value);
            note(text);
            super.println(text);
        }

        private static void note(final String text)
        {
            synchronized (LOCK)
            {
                if (isError(text))
                {
                    WRITTEN.append(text.lines().findFirst().orElse("")).append('\n');
                }
            }
        }
    }
}
