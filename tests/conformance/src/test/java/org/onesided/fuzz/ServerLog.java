package org.onesided.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * Takes what is logged in this process, in place of its standard error, and tells of the first error.
 */
final class ServerLog implements AutoCloseable
{
    private final PrintStream former = System.err;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile String error;

    ServerLog()
    {
        System.setErr(new PrintStream(line, true, UTF_8)
        {
            @Override
            public void println(final String text)
            {
                take(text);
            }

            @Override
            public void println(final Object text)
            {
                take(String.valueOf(text));
            }
        });
    }

    /** The first error that was logged, or null. */
    String error()
    {
        return error;
    }

    private synchronized void take(final String text)
    {
        if (error == null && (text.contains(" ERROR ") || text.contains("unexpected")))
        {
            error = text;
        }
    }

    @Override
    public void close()
    {
        System.setErr(former);
        if (error != null)
        {
            former.println(error);
        }
    }
}
