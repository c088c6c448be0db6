package org.onesided.endtoend.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onesided.client.ShardStatistics;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.endtoend.ServerProcess;
import org.onesided.testing.HangGuard;

/**
 * A server process with a folder of shared memory of its own, which clients of this process use too.
 */
final class FaultyServer implements AutoCloseable
{
    static final String FOLDER_PROPERTY = "onesided.shm.dir";

    private final Path folder;
    private final String formerFolder;
    private final ServerProcess server;
    private Path friend;

    FaultyServer(final String... arguments) throws IOException
    {
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "onesided-faults-");
        formerFolder = System.getProperty(FOLDER_PROPERTY);
        boolean isReady = false;
        try
        {
            System.setProperty(FOLDER_PROPERTY, folder.toString());
            server = ServerProcess.startIn(
                List.of("env", "JDK_JAVA_OPTIONS=" + flags().get(0)), "127.0.0.1:0", arguments);
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

    String address()
    {
        return server.address();
    }

    List<String> flags()
    {
        return List.of("-D" + FOLDER_PROPERTY + "=" + folder);
    }

    StoreClientBuilder client(final String device)
    {
        return StoreClient.builder().server(address()).device(device);
    }

    /** A client of this process that stays while others come and go. */
    StoreClient friend(final String device) throws IOException
    {
        final Set<Path> before = contexts();
        final StoreClient client =
            client(device).maxSessions(1).deadline(Duration.ofSeconds(HangGuard.seconds(60))).build();
        final Set<Path> added = contexts();
        added.removeAll(before);
        friend = added.iterator().next();
        return client;
    }

    Holdings holdings()
    {
        return Holdings.of(server.pid(), folder, friend);
    }

    private Set<Path> contexts() throws IOException
    {
        try (Stream<Path> contexts = Files.list(folder))
        {
            return contexts.collect(Collectors.toCollection(HashSet::new));
        }
    }

    long residentKiB()
    {
        return Holdings.residentKiB(server.pid());
    }

    /** Of all shards together. */
    static long sum(final StoreClient client, final ToLongFunction<ShardStatistics> of)
    {
        return client.statistics().stream().mapToLong(of).sum();
    }

    static void await(final Supplier<String> what, final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
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
        server.close();
        forget();
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
