package org.onesided.benchmark.peers;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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

    private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");

    private final Path peersTarget;
    private final List<String> options;
    private final List<String> launcher;
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
    private final Thread hook = new Thread(this::stopAtOnce, "benchmark-stop");

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
        return closeable;
    }

    private synchronized void stop()
    {
        while (!toClose.isEmpty())
        {
            try
            {
                toClose.pop().close();
            }
            catch (final Exception e)
            {
                System.err.println("benchmark: not stopped: " + e);
            }
        }
    }

    /** Also what is just being started. */
    private void stopAtOnce()
    {
        stop();
        ProcessHandle.current().children().forEach(ProcessHandle::destroy);
    }

    @Override
    public void close()
    {
        stop();
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
