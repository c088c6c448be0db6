package org.onesided.endtoend.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;

/**
 * A process of the tests that talks by lines and is signalled.
 */
final class ClientProcess implements AutoCloseable
{
    private final Process process;
    private final BufferedReader output;

    private ClientProcess(final Process process)
    {
        this.process = process;
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static ClientProcess start(final Class<?> main, final List<String> flags, final List<String> arguments)
        throws IOException
    {
        final List<String> command = new ArrayList<>(JavaCommand.of(main.getName(), arguments));
        command.addAll(1, flags);
        return new ClientProcess(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** The next line; null at the end. */
    String line() throws IOException
    {
        return output.readLine();
    }

    void write(final String line) throws IOException
    {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    void signal(final String name) throws IOException, InterruptedException
    {
        final Process kill =
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).inheritIO().start();
        if (kill.waitFor() != 0)
        {
            throw new IOException("cannot signal the client: signal=" + name + " pid=" + process.pid());
        }
    }

    /** Waits until it is gone. */
    int end() throws IOException, InterruptedException
    {
        if (!process.waitFor(HangGuard.seconds(120), TimeUnit.SECONDS))
        {
            throw new IOException("client does not end: pid=" + process.pid());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException
    {
        process.destroyForcibly();
        try
        {
            process.waitFor(HangGuard.seconds(120), TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        output.close();
    }
}
