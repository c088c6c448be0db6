package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;

/**
 * A {@link ClientProcess} as seen by the run.
 */
final class ClientHandle implements AutoCloseable
{
    private final String name;
    private final Host host;
    private final BufferedReader output;
    private final Writer input;

    /** What the client runs in. */
    private interface Host
    {
        /** Whether it ended within this time. */
        boolean hasEndedAfter(long seconds) throws InterruptedException;

        void kill();
    }

    private ClientHandle(final String name, final Host host, final BufferedReader output, final Writer input)
    {
        this.name = name;
        this.host = host;
        this.output = output;
        this.input = input;
    }

    /** Starts a client in a process of its own, with further options of Java. */
    static ClientHandle inProcess(final String name, final List<String> options, final List<String> arguments)
        throws IOException
    {
        return inProcess(ClientProcess.class, name, options, arguments);
    }

    /** The same of another program that answers lines. */
    static ClientHandle inProcess(
        final Class<?> program, final String name, final List<String> options, final List<String> arguments)
        throws IOException
    {
        final Process process =
            new ProcessBuilder(JavaCommand.of(options, program.getName(), arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        final Host host = new Host()
        {
            @Override
            public boolean hasEndedAfter(final long seconds) throws InterruptedException
            {
                return process.waitFor(seconds, TimeUnit.SECONDS);
            }

            @Override
            public void kill()
            {
                process.destroyForcibly();
            }
        };
        return new ClientHandle(name, host, process.inputReader(StandardCharsets.UTF_8),
            process.outputWriter(StandardCharsets.UTF_8));
    }

    /** Starts a client in a thread of this process. */
    static ClientHandle inThread(final String name, final List<String> arguments) throws IOException
    {
        final PipedWriter input = new PipedWriter();
        final BufferedReader commands = new BufferedReader(new PipedReader(input));
        final PipedReader answers = new PipedReader();
        final PrintWriter output = new PrintWriter(new PipedWriter(answers), true);
        final Thread thread = new Thread(() ->
        {
            try (output)
            {
                ClientProcess.run(arguments, commands, output);
            }
            catch (final IOException | InterruptedException | RuntimeException e)
            {
                // Which ends the answers: as a process' end would.
                e.printStackTrace();
            }
        }, name);
        thread.start();
        final Host host = new Host()
        {
            @Override
            public boolean hasEndedAfter(final long seconds) throws InterruptedException
            {
                // 0 would stand for ever.
                thread.join(Math.max(1, TimeUnit.SECONDS.toMillis(seconds)));
                return !thread.isAlive();
            }

            @Override
            public void kill()
            {
                thread.interrupt();
            }
        };
        return new ClientHandle(name, host, new BufferedReader(answers), input);
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
        host.kill();
    }

    @Override
    public void close() throws IOException
    {
        try (output)
        {
            if (!host.hasEndedAfter(0))
            {
                input.close();
                if (!host.hasEndedAfter(HangGuard.seconds(60)))
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
            host.kill();
        }
    }
}
