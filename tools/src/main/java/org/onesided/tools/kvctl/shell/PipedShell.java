package org.onesided.tools.kvctl.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.List;

/**
 * A shell for piped input, without a prompt.
 */
public final class PipedShell
{
    private PipedShell()
    {
    }

    /**
     * Executes all lines.
     *
     * @param input  of lines in UTF-8; not closed.
     * @param runner of the lines.
     * @return number of lines that failed.
     * @throws IOException if the input cannot be read.
     */
    public static long run(final InputStream input, final LineRunner runner) throws IOException
    {
        final BufferedReader lines = new BufferedReader(new InputStreamReader(input, UTF_8));
        long failed = 0;
        long number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine())
        {
            runner.begin(++number);
            final List<String> words;
            try
            {
                words = ShellLine.words(line);
            }
            catch (final ShellLine.IncompleteException e)
            {
                runner.refuse(e.getMessage());
                failed++;
                continue;
            }
            if (ShellLine.isLast(words))
            {
                return failed;
            }
            if (!words.isEmpty() && !runner.run(words))
            {
                failed++;
            }
        }
        return failed;
    }
}
