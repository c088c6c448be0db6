package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.endtoend.JavaCommand;
import org.onesided.testing.HangGuard;

/**
 * A {@link ClientProcess} as seen by the run.
 */
final class ClientHandle implements AutoCloseable
{
    private final Process process;
    private final BufferedReader output;
    private final Writer input;
    private final String name;

    ClientHandle(final String name, final List<String> options, final List<String> arguments) throws IOException
    {
        this.name = name;
        process = new ProcessBuilder(JavaCommand.of(options, ClientProcess.class.getName(), arguments))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
        output = process.inputReader(StandardCharsets.UTF_8);
        input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Sees that the client's clock is this process' clock; what is wrong, or null. */
    String checkClock() throws IOException
    {
        final long beforeNs = System.nanoTime();
        tell("clock");
        final String answer = answer();
        final long afterNs = System.nanoTime();
        final long clientNs = Long.parseLong(answer.substring("clock ".length()));
        return clientNs - beforeNs >= 0 && afterNs - clientNs >= 0 ? null :
            "processes have different clocks, histories cannot be compared: before=" + beforeNs +
                " client=" + clientNs + " after=" + afterNs;
    }

    void tell(final String line) throws IOException
    {
        input.write(line + "\n");
        input.flush();
    }

    String answer() throws IOException
    {
        final String line = output.readLine();
        if (line == null)
        {
            throw new IOException("client ended before its time: client=" + name);
        }
        return line;
    }

    void kill()
    {
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException
    {
        try (output)
        {
            if (process.isAlive())
            {
                input.close();
                if (!process.waitFor(HangGuard.seconds(60), TimeUnit.SECONDS))
                {
                    throw new IOException("client does not end: client=" + name);
                }
            }
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
