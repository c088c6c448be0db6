package org.onesided.endtoend.faults;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;

/**
 * A server process with a folder of shared memory of its own, which clients of this process use too, on a port that it
 * keeps when it is started anew.
 */
final class FaultyServer implements AutoCloseable
{
    static final String FOLDER_PROPERTY = "onesided.shm.dir";

    /** Where the system gives no ports to those who ask for any: nobody takes it while the server is down. */
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;
    /**
     * Has the JVM count native memory, take its heap at once instead of bit by bit, and count no dead objects among
     * the live ones, as it does where it leaves them between those.
     */
    private static final String ACCOUNTS =
        "-XX:NativeMemoryTracking=summary -Xms32m -Xmn16m -XX:+AlwaysPreTouch -XX:MarkSweepDeadRatio=0";

    private final Path folder;
    private final String formerFolder;
    private final int port;
    private final String[] arguments;
    private ServerProcess server;
    private Path friend;

    FaultyServer(final String... arguments) throws IOException
    {
        this.arguments = arguments;
        port = freePort();
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "onesided-faults-");
        formerFolder = System.getProperty(FOLDER_PROPERTY);
        boolean isReady = false;
        try
        {
            System.setProperty(FOLDER_PROPERTY, folder.toString());
            server = start();
            isReady = true;
        }
        finally
        {
            if (!isReady)
            {
                forget();
            }
        }
    }

    /** What a server calls a device that clients call by its kind. */
    static String listening(final String device)
    {
        return device.equals("tcp") || device.endsWith(":tcp") ? device + ":127.0.0.1:0" : device;
    }

    private static int freePort() throws IOException
    {
        final Random random = new Random();
        while (true)
        {
            final int candidate = FIRST_PORT + random.nextInt(PORTS);
            try (ServerSocket socket = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress()))
            {
                return socket.getLocalPort();
            }
            catch (final BindException e)
            {
                // Taken: another.
            }
        }
    }

    private ServerProcess start() throws IOException
    {
        return ServerProcess.startIn(
            List.of("env", "JDK_JAVA_OPTIONS=" + flags().get(0) + " " + ACCOUNTS), address(), arguments);
    }

    /** Kills the server, and starts another life of it. */
    void killAndRestart() throws IOException
    {
        server.kill();
        restart();
    }

    /** Has the server stop, and starts another life of it. */
    void stopAndRestart() throws IOException
    {
        final int code = server.terminate();
        if (code != 0)
        {
            throw new AssertionError("server does not stop cleanly: exit code=" + code);
        }
        restart();
    }

    private void restart() throws IOException
    {
        server.close();
        server = start();
    }

    String address()
    {
        return "127.0.0.1:" + port;
    }

    long pid()
    {
        return server.pid();
    }

    /** Stops it as a debugger would (SIGSTOP). */
    void freeze()
    {
        server.freeze();
    }

    /** Lets it go on. */
    void thaw()
    {
        server.thaw();
    }

    /**
     * The sessions that its acceptor has, those that may be resumed included; for a server that was started with
     * {@code --metrics}.
     */
    long sessions()
    {
        return ScrapedMetric.sum(server.metricsAddress(), "onesided_sessions");
    }

    List<String> flags()
    {
        return List.of("-D" + FOLDER_PROPERTY + "=" + folder);
    }

    /** Of processes that live too briefly for the better compiler to be worth its time. */
    List<String> quickFlags()
    {
        return List.of(flags().get(0), "-XX:TieredStopAtLevel=1");
    }

    StoreClientBuilder client(final String device)
    {
        return StoreClient.builder().server(address()).device(device);
    }

    /** Builds a client whose deadline is short, as often as the machine is too busy for that. */
    static StoreClient hasty(final StoreClientBuilder builder) throws InterruptedException
    {
        final StoreClient[] client = new StoreClient[1];
        await(() -> "a client", () ->
        {
            try
            {
                client[0] = builder.build();
                return true;
            }
            catch (final StoreConnectException e)
            {
                return false;
            }
        });
        return client[0];
    }

    /** A client of this process that stays while others come and go. */
    StoreClient friend(final String device) throws IOException, InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        while (true)
        {
            final Set<Path> before = contexts();
            final StoreClient client =
                client(device).maxSessions(1).deadline(Duration.ofSeconds(HangGuard.seconds(60))).build();
            final Set<Path> added = contexts();
            added.removeAll(before);
            friend = added.isEmpty() ? null : added.iterator().next();
            if (friend != null || !device.endsWith("shm"))
            {
                return client;
            }
            // It shares the device of a client that an earlier test has left to end, in another folder.
            client.close();
            if (System.nanoTime() - endNs > 0)
            {
                throw new AssertionError("a client of this process is still there: device=" + device);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    Holdings holdings()
    {
        return Holdings.of(server.pid(), folder, friend);
    }

    Footprint footprint()
    {
        try
        {
            return Footprint.of(server.pid());
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private Set<Path> contexts() throws IOException
    {
        try (Stream<Path> contexts = Files.list(folder))
        {
            return contexts.collect(Collectors.toCollection(HashSet::new));
        }
    }

    /** Of all shards together. */
    static long sum(final StoreClient client, final ToLongFunction<ShardStatistics> of)
    {
        return client.statistics().stream().mapToLong(of).sum();
    }

    static void await(final Supplier<String> what, final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(150);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - endNs > 0)
            {
                throw new AssertionError("waited in vain for " + what.get());
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            server.close();
        }
        finally
        {
            forget();
        }
    }

    private void forget() throws IOException
    {
        if (formerFolder == null)
        {
            System.clearProperty(FOLDER_PROPERTY);
        }
        else
        {
            System.setProperty(FOLDER_PROPERTY, formerFolder);
        }
        try (Stream<Path> files = Files.walk(folder))
        {
            files.sorted((a, b) -> b.getNameCount() - a.getNameCount()).forEach((file) -> file.toFile().delete());
        }
    }
}
