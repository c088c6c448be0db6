package org.onesided.benchmark.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.peers.Arguments;

/**
 * A process that runs {@link org.onesided.peers.Worker}. For one thread.
 */
final class WorkerProcess implements AutoCloseable
{
    private static final String DONE = "done";
    private static final long EXIT_SECONDS = 20;

    private final String name;
    private final Process process;
    private final BufferedReader output;
    private final PrintStream input;

    /**
     * Starts the process and waits until it is ready.
     *
     * @param name    for messages.
     * @param command line of it.
     * @throws IOException if it does not get ready.
     */
    WorkerProcess(final String name, final List<String> command) throws IOException
    {
        this.name = name;
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        try
        {
            answer("start");
        }
        catch (final IOException e)
        {
            close();
            throw e;
        }
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @param line the command.
     * @return named results.
     * @throws IOException if the worker fails.
     */
    Arguments tell(final String line) throws IOException
    {
        begin(line);
        return answer(line);
    }

    /** Sends a command whose answer will be asked for with {@link #answer}. */
    void begin(final String line)
    {
        input.println(line);
    }

    /**
     * @param line the command, for messages.
     * @return named results of the command begun.
     * @throws IOException if the worker fails.
     */
    Arguments answer(final String line) throws IOException
    {
        final String answer = output.readLine();
        if (answer == null || !answer.startsWith(DONE))
        {
            throw new IOException("worker failed: worker=" + name + " command=" + line + " answer=" + answer);
        }
        final String results = answer.substring(DONE.length()).trim();
        return new Arguments(results.isEmpty() ? new String[0] : results.split(" "));
    }

    /**
     * @return its process id.
     */
    long pid()
    {
        return process.pid();
    }

    @Override
    public void close()
    {
        // The worker closes what it holds at the end of its input.
        input.close();
        try
        {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly().waitFor();
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
