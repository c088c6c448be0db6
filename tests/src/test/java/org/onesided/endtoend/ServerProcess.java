package org.onesided.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.onesided.server.StoreServer;

/**
 * A server in a process of its own, which can be stopped and continued as a whole.
 */
final class ServerProcess implements AutoCloseable
{
    private final Process process;
    private final String address;

    ServerProcess() throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-") || argument.startsWith("--enable-") ||
                argument.startsWith("--sun-"))
            .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final BufferedReader output =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        address = output.readLine();
        if (address == null)
        {
            throw new IOException("server did not start: exit=" + process.onExit().join().exitValue());
        }
    }

    String address()
    {
        return address;
    }

    void stop() throws Exception
    {
        signal("STOP");
    }

    void carryOn() throws Exception
    {
        signal("CONT");
    }

    private void signal(final String name) throws IOException, InterruptedException
    {
        final int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
        if (exit != 0)
        {
            throw new IOException("kill failed: exit=" + exit);
        }
    }

    @Override
    public void close() throws IOException
    {
        process.getOutputStream().close();
        try
        {
            process.onExit().get(20, TimeUnit.SECONDS);
        }
        catch (final InterruptedException | ExecutionException | TimeoutException e)
        {
            process.destroyForcibly();
            throw new IOException("server did not end by itself", e);
        }
    }

    /** Serves until its standard input ends. */
    static final class Main
    {
        private Main()
        {
        }

        public static void main(final String[] args) throws IOException
        {
            try (StoreServer server = StoreServer.start(TestStore.options()))
            {
                System.out.println("127.0.0.1:" + server.address().getPort());
                System.in.transferTo(System.out);
            }
        }
    }
}
