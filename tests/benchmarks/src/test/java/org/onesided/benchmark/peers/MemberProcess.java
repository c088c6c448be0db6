package org.onesided.benchmark.peers;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server in a process of its own, which listens on a port of loopback that it was told. For one thread, but for the
 * close.
 */
final class MemberProcess implements AutoCloseable
{
    private static final long READY_SECONDS = 60;
    private static final long EXIT_SECONDS = 10;
    private static final int CONNECT_MILLIS = 1000;
    private static final long LOOK_MILLIS = 20;

    private final Process process;
    private final Path log;
    private final String name;

    private MemberProcess(final Process process, final Path log, final String name)
    {
        this.process = process;
        this.log = log;
        this.name = name;
    }

    /**
     * @param name    for messages, and of the file that gets what it prints.
     * @param command that starts it.
     * @param folder  of that file.
     */
    static MemberProcess start(final String name, final List<String> command, final Path folder) throws IOException
    {
        final Path log = folder.resolve(name + ".log");
        return new MemberProcess(new ProcessBuilder(command)
            .redirectOutput(log.toFile())
            .redirectErrorStream(true)
            .directory(new File("/"))
            .start(), log, name);
    }

    /** Waits until it listens. */
    void awaitPort(final int port) throws IOException
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
                Crowd.pause(LOOK_MILLIS);
            }
        }
        throw failure(process.isAlive() ? "does not listen" : "has ended");
    }

    /** With the last that it printed. */
    IOException failure(final String what) throws IOException
    {
        final List<String> lines = Files.readAllLines(log);
        return new IOException(name + " " + what + ": log=" + (lines.isEmpty() ? "" : lines.get(lines.size() - 1)));
    }

    long pid()
    {
        return process.pid();
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
