package org.onesided.endtoend.kvctl;

import java.io.IOException;
import java.util.List;

/**
 * What stands before a command that is to heed SIGINT and SIGHUP even where this process was started so that it does
 * not, as programs in the background of a script are.
 */
final class HeedsSignals
{
    /** Nothing where {@code env} is too old to know how. */
    static final List<String> PREFIX = prefix();

    private HeedsSignals()
    {
    }

    private static List<String> prefix()
    {
        final List<String> prefix = List.of("env", "--default-signal=INT,HUP");
        try
        {
            final Process process = new ProcessBuilder(prefix.get(0), prefix.get(1), "true")
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor() == 0 ? prefix : List.of();
        }
        catch (final IOException e)
        {
            return List.of();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
