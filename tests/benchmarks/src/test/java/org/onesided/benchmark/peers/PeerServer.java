package org.onesided.benchmark.peers;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Redis, memcached or etcd as a process of its own on a free port of loopback; without persistence unless it is said.
 */
final class PeerServer implements AutoCloseable
{
    private static final long READY_SECONDS = 20;
    private static final long EXIT_SECONDS = 10;
    private static final int CONNECT_MILLIS = 1000;
    /** Another process may take the free port first. */
    private static final int ATTEMPTS = 3;

    private final List<String> command;
    private final int port;
    private final Process process;

    private PeerServer(final List<String> command, final int port, final Process process)
    {
        this.command = command;
        this.port = port;
        this.process = process;
    }

    /**
     * @param program such as {@code redis-server}.
     * @return where it is installed, or nothing.
     */
    static Optional<String> find(final String program)
    {
        return Stream.concat(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
                Stream.of("/usr/bin", "/usr/local/bin"))
            .filter((folder) -> !folder.isEmpty())
            .map((folder) -> Path.of(folder, program))
            .filter(Files::isExecutable)
            .map(Path::toString)
            .findFirst();
    }

    /**
     * @param launcher program with its arguments that starts the server; may be empty.
     */
    static PeerServer redis(final List<String> launcher, final String program) throws IOException
    {
        return start(launcher, program, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port");
    }

    /**
     * @param memory that it may take, in bytes.
     * @param policy that evicts keys when it is full.
     */
    static PeerServer redisCache(final String program, final long memory, final String policy) throws IOException
    {
        return start(List.of(), program, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
            "--maxmemory", Long.toString(memory), "--maxmemory-policy", policy, "--port");
    }

    /**
     * @param memory that it may take, in bytes.
     */
    static PeerServer memcached(final String program, final long memory) throws IOException
    {
        final List<String> arguments = new ArrayList<>(
            List.of("-l", "127.0.0.1", "-U", "0", "-m", Long.toString(memory >> 20)));
        if ("root".equals(System.getProperty("user.name")))
        {
            // It refuses to run as root.
            arguments.addAll(List.of("-u", "nobody"));
        }
        arguments.add("-p");
        return start(List.of(), program, arguments.toArray(new String[0]));
    }

    /**
     * Redis with an append-only file that is never written anew.
     *
     * @param directory of the file.
     * @param fsync     when it is forced to the disk.
     */
    static PeerServer redisOnDisk(final String program, final Path directory, final String fsync) throws IOException
    {
        return start(List.of(), program, "--bind", "127.0.0.1", "--save", "", "--dir", directory.toString(),
            "--appendonly", "yes", "--appendfsync", fsync, "--auto-aof-rewrite-percentage", "0", "--port");
    }

    /**
     * A single member of etcd.
     *
     * @param directory of its data.
     */
    static PeerServer etcd(final String program, final Path directory) throws IOException
    {
        return start((port) -> List.of(program, "--data-dir", directory.toString(), "--logger", "zap",
            "--log-level", "error", "--listen-peer-urls", "http://127.0.0.1:0",
            "--listen-client-urls", "http://127.0.0.1:" + port,
            "--advertise-client-urls", "http://127.0.0.1:" + port));
    }

    private static PeerServer start(
        final List<String> launcher, final String program, final String... arguments) throws IOException
    {
        return start((port) ->
        {
            final List<String> command = new ArrayList<>(launcher);
            command.add(program);
            command.addAll(List.of(arguments));
            command.add(Integer.toString(port));
            return command;
        });
    }

    private static PeerServer start(final IntFunction<List<String>> commandOfPort) throws IOException
    {
        IOException failure = null;
        for (int i = 0; i < ATTEMPTS; i++)
        {
            final int port = freePort();
            final List<String> command = commandOfPort.apply(port);
            final PeerServer server = new PeerServer(command, port, new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
            try
            {
                server.awaitPort();
                return server;
            }
            catch (final IOException e)
            {
                server.close();
                failure = e;
            }
        }
        throw failure;
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }

    private void awaitPort() throws IOException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (process.isAlive() && System.nanoTime() - endNs < 0)
        {
            try (Socket socket = new Socket())
            {
                socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
                return;
            }
            catch (final IOException e)
            {
                Thread.onSpinWait();
            }
        }
        throw new IOException("server does not listen: command=" + String.join(" ", command));
    }

    /**
     * @return what it was started with.
     */
    List<String> command()
    {
        return command;
    }

    int port()
    {
        return port;
    }

    long pid()
    {
        return process.pid();
    }

    /**
     * @param command to run.
     * @return what it prints on standard output.
     */
    static String output(final List<String> command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try
        {
            if (process.waitFor() != 0)
            {
                throw new IOException("command failed: command=" + command + " output=" + output);
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted: command=" + command, e);
        }
        return output;
    }

    @Override
    public void close()
    {
        process.destroy();
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
