package org.onesided.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.onesided.waiting.Interruptible;

/**
 * {@code kvctl server} as a process of its own, on a free port. Where it logs an error, ends by itself, or ends with an
 * error when it is asked to, closing it fails: no test passes over that.
 */
public final class ServerProcess implements AutoCloseable
{
    private static final String READY = "ready: ";
    private static final String METRICS = " metrics=";
    private static final long EXIT_SECONDS = HangGuard.seconds(240);

    private final Process process;
    private final BufferedReader output;
    private final String address;
    private final String metricsAddress;
    private final Thread logReader;
    /** The first line that tells of an error, or null. */
    private volatile String error;
    private final LogFaults faults = new LogFaults();
    /** Lines that tell of a warning, in their order. */
    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private volatile boolean isEnding;
    private boolean isClosed;

    private ServerProcess(final Process process) throws IOException
    {
        this.process = process;
        logReader = new Thread(this::readLog, "server-log");
        logReader.setDaemon(true);
        logReader.start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        final String line = output.readLine();
        if (line == null || !line.startsWith(READY))
        {
            process.destroyForcibly();
            throw new IOException("server did not get ready: line=" + line);
        }
        address = line.substring(READY.length()).split(" ")[0];
        final int metrics = line.indexOf(METRICS);
        metricsAddress = metrics < 0 ? null : line.substring(metrics + METRICS.length());
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @param arguments beyond {@code server --listen 127.0.0.1:0}.
     * @return the server.
     * @throws IOException if it does not get ready.
     */
    public static ServerProcess start(final String... arguments) throws IOException
    {
        return startOn("127.0.0.1:0", arguments);
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @param address   to listen on.
     * @param arguments beyond {@code server --listen}; without a device it is shared memory.
     * @return the server.
     * @throws IOException if it does not get ready.
     */
    public static ServerProcess startOn(final String address, final String... arguments) throws IOException
    {
        return startIn(List.of(), address, arguments);
    }

    /**
     * Starts a server by another program and waits until it is ready.
     *
     * @param program   with its arguments, which becomes the command line that follows, such as {@code ip netns exec}.
     * @param address   to listen on.
     * @param arguments beyond {@code server --listen}; without a device it is shared memory.
     * @return the server.
     * @throws IOException if it does not get ready.
     */
    public static ServerProcess startIn(final List<String> program, final String address, final String... arguments)
        throws IOException
    {
        return start(program, KvctlCommand.of(serverArguments(address, arguments)));
    }

    /**
     * Starts a server of another build by another program and waits until it is ready.
     *
     * @param classPath of the build.
     * @param program   with its arguments, which becomes the command line that follows; may be empty.
     * @param address   to listen on.
     * @param arguments beyond {@code server --listen}; without a device it is shared memory.
     * @return the server.
     * @throws IOException if it does not get ready.
     */
    public static ServerProcess startOf(
        final String classPath, final List<String> program, final String address, final String... arguments)
        throws IOException
    {
        return start(
            program, JavaCommand.ofClassPath(classPath, KvctlCommand.MAIN_CLASS, serverArguments(address, arguments)));
    }

    private static List<String> serverArguments(final String address, final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("server", "--listen", address));
        all.addAll(List.of(arguments));
        if (!all.contains("--device"))
        {
            all.addAll(List.of("--device", "shm"));
        }
        return all;
    }

    private static ServerProcess start(final List<String> program, final List<String> server) throws IOException
    {
        final List<String> command = new ArrayList<>(program);
        command.addAll(server);
        return new ServerProcess(new ProcessBuilder(command).start());
    }

    /**
     * @return host and port to connect to.
     */
    public String address()
    {
        return address;
    }

    /**
     * @return host and port of its metrics, or null if it was started without {@code --metrics}.
     */
    public String metricsAddress()
    {
        return metricsAddress;
    }

    /**
     * @return its process id.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * @param text to look for.
     * @return how many warnings it has logged with that text in them. The latest may not have been read.
     */
    public long warnings(final String text)
    {
        return warnings.stream().filter((line) -> line.contains(text)).count();
    }

    /**
     * Stops it as a debugger would: it keeps its memory and does nothing (SIGSTOP). Returns when all its threads stand
     * still, which may be later than the signal.
     */
    public void freeze()
    {
        signal("STOP");
        awaitFrozen(pid());
    }

    /**
     * Waits until all threads of a process that was sent SIGSTOP stand still.
     *
     * @param pid of the process.
     */
    public static void awaitFrozen(final long pid)
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(EXIT_SECONDS);
        while (!isFrozen(pid))
        {
            if (System.nanoTime() - endNs > 0)
            {
                throw new IllegalStateException("process does not stop: pid=" + pid);
            }
            Thread.onSpinWait();
        }
    }

    private static boolean isFrozen(final long pid)
    {
        try (var threads = Files.list(Path.of("/proc", Long.toString(pid), "task")))
        {
            for (final Path thread : threads.toList())
            {
                final String stat = Files.readString(thread.resolve("stat"));
                // The state follows the name, which is in brackets and may hold anything.
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T')
                {
                    return false;
                }
            }
            return true;
        }
        catch (final NoSuchFileException e)
        {
            // A thread that ended meanwhile.
            return false;
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Lets it go on (SIGCONT).
     */
    public void thaw()
    {
        signal("CONT");
    }

    /**
     * Kills it without warning (SIGKILL).
     */
    public void kill()
    {
        isEnding = true;
        signal("KILL");
        exitCode();
    }

    /**
     * Asks it to stop (SIGTERM) and waits.
     *
     * @return its exit code.
     */
    public int terminate()
    {
        isEnding = true;
        signal("TERM");
        final int code = exitCode();
        if (code != 0 && error == null)
        {
            error = "ended with an error: exitCode=" + code;
        }
        return code;
    }

    /**
     * @return how long each of its threads of now has run.
     * @throws IOException if the process is gone.
     */
    public ProcessorTime processorTime() throws IOException
    {
        return ProcessorTime.of(pid());
    }

    /**
     * @throws AssertionError if anything went wrong with it that nobody asked for.
     */
    @Override
    public void close() throws IOException
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        final boolean hasEndedByItself = !isEnding && !process.isAlive();
        // The process itself would close its streams, too, while they are read.
        process.toHandle().destroyForcibly();
        final int code = exitCode();
        awaitLog();
        output.close();
        if (hasEndedByItself)
        {
            throw new AssertionError("server ended by itself: exitCode=" + code + " error=" + error);
        }
        if (error != null)
        {
            throw new AssertionError("server failed: " + error);
        }
    }

    /** Passes it on, to be read beside that of the tests. */
    private void readLog()
    {
        try (BufferedReader log = process.errorReader(StandardCharsets.UTF_8))
        {
            for (String line = log.readLine(); line != null; line = log.readLine())
            {
                System.err.println(line);
                if (line.contains(" WARN "))
                {
                    warnings.add(line);
                }
                if (faults.add(line) && error == null)
                {
                    error = faults.first();
                }
            }
        }
        catch (final IOException e)
        {
            if (error == null)
            {
                error = "its log cannot be read: " + e.getMessage();
            }
        }
    }

    private void awaitLog()
    {
        Interruptible.join(logReader, TimeUnit.SECONDS.toMillis(EXIT_SECONDS));
    }

    private int exitCode()
    {
        try
        {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS))
            {
                throw new IllegalStateException("server does not end: pid=" + pid());
            }
            return process.exitValue();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private void signal(final String name)
    {
        try
        {
            final Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).inheritIO().start();
            if (kill.waitFor() != 0)
            {
                throw new IllegalStateException("cannot signal the server: signal=" + name + " pid=" + pid());
            }
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
