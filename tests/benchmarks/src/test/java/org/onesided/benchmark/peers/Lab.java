package org.onesided.benchmark.peers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.onesided.testing.Folders;
import org.onesided.testing.ServerProcess;

/**
 * Starts servers and workers, all workers alike, and stops all of them in the end, also when the process is told to
 * end. For one thread.
 */
final class Lab implements AutoCloseable
{
    private static final List<String> WORKER_OPTIONS = List.of(
        "-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Dfile.encoding=UTF-8",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    /** What Chronicle Map needs on JDK 17. */
    private static final List<String> PEER_OPTIONS = List.of(
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
        "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
        "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED");
    /** The first version that knows the option which silences it. */
    private static final int UNSAFE_WARNS_FROM = 24;

    private static final long CHILD_SECONDS = 20;
    private static final long DELETE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long DELETE_PAUSE_MILLIS = 20;

    private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");

    private final Path peersTarget;
    private final List<String> options;
    private final List<String> launcher;
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
    private final List<Path> folders = new ArrayList<>();
    private final Thread hook = new Thread(this::stopAtOnce, "benchmark-stop");
    private boolean isStopped;

    /**
     * @param peersTarget where the build of the peers' module is.
     * @param options     of all workers' JVMs, beyond those they always have.
     */
    Lab(final Path peersTarget, final List<String> options)
    {
        this(peersTarget, options, List.of());
    }

    /**
     * @param launcher program with its arguments that starts each server and worker, such as {@code taskset -c 0}.
     */
    Lab(final Path peersTarget, final List<String> options, final List<String> launcher)
    {
        this.peersTarget = peersTarget;
        this.options = options;
        this.launcher = launcher;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** A server of onesided. */
    ServerProcess server(final List<String> arguments) throws IOException
    {
        return server(OWN_CLASS_PATH, arguments);
    }

    /** A server of another build of onesided. */
    ServerProcess server(final String classPath, final List<String> arguments) throws IOException
    {
        return add(ServerProcess.startOf(classPath, launcher, "127.0.0.1:0", arguments.toArray(new String[0])));
    }

    /** A server of Redis. */
    PeerServer redis(final String program) throws IOException
    {
        return add(PeerServer.redis(launcher, program));
    }

    List<String> launcher()
    {
        return launcher;
    }

    /** A worker with this process' class path. */
    WorkerProcess own(final Class<?> main, final String... arguments) throws IOException
    {
        return own(OWN_CLASS_PATH, main.getName(), arguments);
    }

    /** A worker of another build of onesided. */
    WorkerProcess own(final String classPath, final String main, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(launcher);
        command.add(java());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((a) -> a.startsWith("--")).forEach(command::add);
        return worker(command, classPath, main, arguments);
    }

    /** A worker with the class path of the peers. */
    WorkerProcess peer(final String main, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(launcher);
        command.add(java());
        command.addAll(PEER_OPTIONS);
        if (Runtime.version().feature() >= UNSAFE_WARNS_FROM)
        {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        final String classPath = peersTarget.resolve("classes") + File.pathSeparator +
            Files.readString(peersTarget.resolve("class-path")).trim();
        return worker(command, classPath, main, arguments);
    }

    private WorkerProcess worker(
        final List<String> command, final String classPath, final String main, final String... arguments)
        throws IOException
    {
        command.addAll(WORKER_OPTIONS);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        return add(new WorkerProcess(main + " " + String.join(" ", arguments), command));
    }

    private static String java()
    {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Will close it in the end, before all that was added sooner. */
    synchronized <T extends AutoCloseable> T add(final T closeable)
    {
        toClose.push(closeable);
        if (isStopped)
        {
            stop();
            throw new IllegalStateException("the benchmark was told to stop");
        }
        return closeable;
    }

    /** Will delete it in the end, when nothing writes there any more. */
    synchronized void addFolder(final Path folder)
    {
        folders.add(folder);
    }

    private synchronized void stop()
    {
        isStopped = true;
        while (!toClose.isEmpty())
        {
            try
            {
                toClose.pop().close();
            }
            // A server that the same Ctrl-C has ended says by an AssertionError that it ended by itself.
            catch (final Exception | AssertionError e)
            {
                System.err.println("benchmark: not stopped: " + e);
            }
        }
    }

    /** Also what is just being started. The benchmark's own thread goes on until it meets what is gone. */
    private void stopAtOnce()
    {
        stop();
        endChildren();
        deleteFolders();
        endChildren();
    }

    private static void endChildren()
    {
        final List<ProcessHandle> children = ProcessHandle.current().children().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        for (final ProcessHandle child : children)
        {
            try
            {
                child.onExit().get(CHILD_SECONDS, TimeUnit.SECONDS);
            }
            catch (final ExecutionException | TimeoutException e)
            {
                System.err.println("benchmark: not ended: pid=" + child.pid());
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void deleteFolders()
    {
        final long endNs = System.nanoTime() + DELETE_NS;
        for (final Path folder : folders)
        {
            // Files may come while it is deleted, but none once it is gone.
            while (Files.exists(folder) && !tryDelete(folder) && System.nanoTime() - endNs < 0)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(DELETE_PAUSE_MILLIS));
            }
            if (Files.exists(folder))
            {
                System.err.println("benchmark: not deleted: " + folder);
            }
        }
    }

    private static boolean tryDelete(final Path folder)
    {
        try
        {
            Folders.delete(folder);
            return true;
        }
        catch (final IOException | UncheckedIOException e)
        {
            return false;
        }
    }

    @Override
    public void close()
    {
        stop();
        deleteFolders();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException e)
        {
            // The process is ending already, and the hook has run.
        }
    }
}
