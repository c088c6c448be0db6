package org.onesided.tools.kvctl.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.tools.kvctl.console.Arguments;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.settings.Variables;
import org.onesided.waiting.Interruptible;

/**
 * A {@code kvctl server} in a process of its own, on a free port, that ends with its owner.
 */
public final class ServerProcess implements AutoCloseable
{
    private static final long LONGEST_STOP_S = 20;

    private final Process process;
    private final Thread logReader;
    private final StopHook killer;
    private final StringBuffer log = new StringBuffer();
    private final BufferedReader output;
    private final String address;

    private ServerProcess(final List<String> command, final String prefix) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(command);
        // The server belongs to its owner alone: it takes no secret and no settings from the environment.
        builder.environment().remove(Variables.TOKEN);
        builder.environment().remove(Variables.of("--token-file"));
        builder.environment().keySet().removeIf((name) -> name.startsWith(ServerSettings.VARIABLE_PREFIX));
        // It is not the service that a service manager waits for, either.
        builder.environment().remove(ServiceNotice.VARIABLE);
        process = builder.start();
        killer = StopHook.telling(this::end);
        logReader = new Thread(this::readLog, "kvctl-server-log");
        logReader.start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        address = address(output.readLine(), prefix);
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @param argumentCount of this process.
     * @param options       of the server, but for its address.
     * @return the server; the caller closes it.
     * @throws IOException if it cannot be started.
     */
    public static ServerProcess start(final int argumentCount, final List<String> options) throws IOException
    {
        final List<String> command = new ArrayList<>(Arguments.program(argumentCount));
        command.addAll(List.of("server", "--listen", "127.0.0.1:0"));
        command.addAll(options);
        return new ServerProcess(command, ServerReady.PREFIX);
    }

    /**
     * Starts a server that is to be a member of a cluster, and waits until it is blank or ready.
     *
     * @param argumentCount of this process.
     * @param isBlank       whether its directory holds no table.
     * @param options       of the server, its addresses included.
     * @return the server; the caller closes it.
     * @throws IOException if it cannot be started.
     */
    public static ServerProcess startMember(
        final int argumentCount, final boolean isBlank, final List<String> options) throws IOException
    {
        final List<String> command = new ArrayList<>(Arguments.program(argumentCount));
        command.add("server");
        command.addAll(options);
        return new ServerProcess(command, isBlank ? ServerReady.BLANK_PREFIX : ServerReady.PREFIX);
    }

    /**
     * Waits until a server that was blank is ready.
     *
     * @throws IOException if its output cannot be read.
     */
    public void awaitReady() throws IOException
    {
        address(output.readLine(), ServerReady.PREFIX);
    }

    /** Kills the server without a warning, and waits until it has ended. */
    public void kill()
    {
        process.toHandle().destroyForcibly();
        stop();
    }

    /**
     * Accesses the address.
     *
     * @return where clients connect.
     */
    public String address()
    {
        return address;
    }

    /**
     * Accesses the process.
     *
     * @return its number.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Stops the server and waits until it has ended.
     *
     * @return its exit code.
     */
    public int stop()
    {
        end();
        final boolean hasEnded = Interruptible.run(() ->
        {
            logReader.join();
            process.waitFor();
        });
        return hasEnded ? process.exitValue() : ExitCode.FAILED.code();
    }

    @Override
    public void close()
    {
        stop();
        killer.close();
    }

    /** A server that is killed cannot release its memory. */
    private void end()
    {
        // Destroying the handle, unlike the process, leaves the streams open, so the last output of the server can be
        // read.
        process.toHandle().destroy();
        if (!Interruptible.await(() -> process.waitFor(LONGEST_STOP_S, TimeUnit.SECONDS)))
        {
            process.destroyForcibly();
        }
    }

    private String address(final String line, final String prefix)
    {
        if (line != null && line.startsWith(prefix))
        {
            return ServerReady.address(line, prefix);
        }
        close();
        throw new CommandException(ExitCode.FAILED, "the server did not start: " + lastLine());
    }

    private String lastLine()
    {
        final String[] lines = log.toString().trim().split("\n");
        return lines[lines.length - 1].replaceFirst("^kvctl server: ", "");
    }

    private void readLog()
    {
        try (InputStream errors = process.getErrorStream())
        {
            final byte[] buffer = new byte[1 << 12];
            for (int count = errors.read(buffer); count >= 0; count = errors.read(buffer))
            {
                log.append(new String(buffer, 0, count, UTF_8));
            }
        }
        catch (final IOException e)
        {
            log.append("cannot read the server's log: ").append(e.getMessage());
        }
    }
}
