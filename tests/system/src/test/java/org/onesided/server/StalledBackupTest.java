package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.BackupListener;
import org.onesided.server.data.DataOptions;
import org.onesided.testing.LoggedErrors;

/** A client that takes nothing more of its backup. */
@ExtendWith(LoggedErrors.class)
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledBackupTest
{
    private static final BackupListener NOBODY = (taken, received, length) -> {};
    /** Long enough for a client that works, on a busy machine. */
    private static final long CLIENT_NS = TimeUnit.SECONDS.toNanos(5);
    /** More than the system keeps for a connection. */
    private static final int RECORDS = 40;
    private static final int VALUE_LENGTH = 1_000_000;

    @TempDir
    private Path folder;

    /** Takes the first bytes, and then nothing until it is told to. */
    private static final class StalledOutput extends OutputStream
    {
        private final CountDownLatch stalled = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);

        @Override
        public void write(final int value) throws IOException
        {
            write(new byte[]{(byte)value}, 0, 1);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException
        {
            stalled.countDown();
            try
            {
                release.await();
            }
            catch (final InterruptedException e)
            {
                throw new IOException(e);
            }
        }
    }

    private StoreServer start()
    {
        return StoreServer.start(new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(128L << 20)
            .shards(2).device("shm").data(DataOptions.in(folder.resolve("data"))), CLIENT_NS);
    }

    @Test
    void shouldLeaveTheClientAndServeTheNext() throws Exception
    {
        try (StoreServer server = start();
            StoreClient client = StoreClient.builder().server("127.0.0.1:" + server.address().getPort())
                .device("shm").deadline(Duration.ofSeconds(60)).build())
        {
            final Random random = new Random(1);
            for (int i = 0; i < RECORDS; i++)
            {
                final byte[] value = new byte[VALUE_LENGTH];
                random.nextBytes(value);
                client.put(("key " + i).getBytes(), value);
            }
            final StalledOutput output = new StalledOutput();
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final Thread stalled = new Thread(() ->
            {
                try
                {
                    client.backup(output, NOBODY);
                }
                catch (final IOException | StoreException e)
                {
                    failure.set(e);
                }
            }, "stalled");
            stalled.start();
            try
            {
                output.stalled.await();
                // Nobody waits for it meanwhile.
                client.put("key", "value");
                final Path taken = folder.resolve("taken");
                while (!tryTake(client, taken))
                {
                    assertNotNull(client.get("key"));
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                assertEquals(RECORDS + 1, StoredBackup.verify(taken, (bytes) -> {}).records());
            }
            finally
            {
                output.release.countDown();
                stalled.join();
            }
            assertInstanceOf(StoreException.class, failure.get());
        }
        assertFalse(Files.exists(folder.resolve("data").resolve("backup")));
    }

    private static boolean tryTake(final StoreClient client, final Path file) throws IOException
    {
        try (OutputStream out = Files.newOutputStream(file))
        {
            client.backup(out, NOBODY);
            return true;
        }
        catch (final StoreException e)
        {
            return false;
        }
    }
}
