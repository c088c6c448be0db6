package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * What is logged in this process until it is closed, in place of its standard error.
 */
public final class CapturedLog implements AutoCloseable
{
    private final PrintStream former = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    /**
     * Begins.
     */
    public CapturedLog()
    {
        System.setErr(new PrintStream(log, true, UTF_8));
    }

    /**
     * @param text to look for.
     * @return how many lines have that in them.
     */
    public long count(final String text)
    {
        return text().lines().filter((line) -> line.contains(text)).count();
    }

    /**
     * @return all that was logged.
     */
    public String text()
    {
        return log.toString(UTF_8);
    }

    @Override
    public void close()
    {
        System.setErr(former);
        former.print(text());
    }
}
