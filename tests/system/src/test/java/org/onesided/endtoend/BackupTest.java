package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.types.BackupListener;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.server.ServerException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoredBackup;
import org.onesided.server.data.DataOptions;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.TestSize;

/** Backups of a server that works, and tables that are made from them. */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupTest
{
    private static final int ROUNDS = TestSize.of(3, 2);
    private static final BackupListener NOBODY = (taken, received, length) -> {};
    private static final int STABLE = 500;
    private static final int CHAIN = 16;
    private static final int LONG_LENGTH = 700_000;

    @TempDir
    private Path folder;

    private ServerOptions options(final String data)
    {
        return TestStore.options().data(DataOptions.in(folder.resolve(data)));
    }

    private static ServerOptions on(final ServerOptions options, final String device)
    {
        return options.device(device.equals("tcp") ? "tcp:127.0.0.1:0" : device);
    }

    private Path file()
    {
        return folder.resolve("store.backup");
    }

    private void take(final StoreClient client, final BackupListener listener) throws IOException
    {
        try (OutputStream out = Files.newOutputStream(file()))
        {
            assertEquals(client.backup(out, listener), Files.size(file()));
        }
    }

    private void restore(final String data, final int shards)
    {
        StoredBackup.restore(file(), folder.resolve(data), shards, (bytes) -> {});
    }

    private static byte[] value(final int i)
    {
        return TestStore.randomBytes(i % 50 == 0 ? LONG_LENGTH : i % 300, i);
    }

    private static byte[] key(final String name, final int i)
    {
        return TestStore.bytes(name + i);
    }

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldRestoreTheTableOfOneMomentUnderLoad(final String device) throws Exception
    {
        try (TestStore store = new TestStore(on(options("data").memory(256L << 20), device));
            StoreClient client = store.client())
        {
            for (int i = 0; i < STABLE; i++)
            {
                client.put(key("stable ", i), value(i));
            }
            final List<Thread> threads = new ArrayList<>();
            final AtomicBoolean isOver = new AtomicBoolean();
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final CountDownLatch begun = new CountDownLatch(3);
            threads.add(loader("chain", failure, () -> writeChain(client, isOver, begun)));
            threads.add(loader("long", failure, () -> writeLoad(client, isOver, begun, 1, true)));
            threads.add(loader("short", failure, () -> writeLoad(client, isOver, begun, 2, false)));
            assertTrue(begun.await(120, TimeUnit.SECONDS));
            for (int round = 0; round < ROUNDS; round++)
            {
                take(client, NOBODY);
                restore("restored-" + round, round == ROUNDS - 1 ? 3 : 0);
            }
            isOver.set(true);
            for (final Thread thread : threads)
            {
                thread.join();
            }
            assertNull(failure.get());
            assertFalse(Files.exists(folder.resolve("data").resolve("backup")));
        }
        for (int round = 0; round < ROUNDS; round++)
        {
            checkRestored("restored-" + round, round == ROUNDS - 1 ? 3 : 2, device);
        }
    }

    private interface Load
    {
        void run() throws Exception;
    }

    private static Thread loader(final String name, final AtomicReference<Throwable> failure, final Load load)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                load.run();
            }
            catch (final Throwable e)
            {
                failure.compareAndSet(null, e);
            }
        }, "load-" + name);
        thread.start();
        return thread;
    }

    /** Counts in keys of both shards in turn, each after the one before was acknowledged. */
    private static void writeChain(final StoreClient client, final AtomicBoolean isOver, final CountDownLatch begun)
    {
        for (int n = 1; !isOver.get(); n++)
        {
            for (int i = 0; i < CHAIN; i++)
            {
                client.put("chain " + i, Integer.toString(n));
            }
            if (n == 1)
            {
                begun.countDown();
            }
        }
    }

    /** Each value tells by itself what it must look like. */
    private static void writeLoad(
        final StoreClient client, final AtomicBoolean isOver, final CountDownLatch begun, final int seed,
        final boolean isLong)
    {
        final Random random = new Random(seed);
        for (int n = 0; !isOver.get(); n++)
        {
            final byte[] key = key("load " + seed + " ", random.nextInt(40));
            if (random.nextInt(5) == 0)
            {
                client.delete(key);
            }
            else
            {
                client.put(key, TestStore.randomBytes(isLong ? 300_000 + n % 7 : 200 + n % 7, 1000 + n % 7));
            }
            if (n == 0)
            {
                begun.countDown();
            }
        }
    }

    private void checkRestored(final String data, final int shards, final String device)
    {
        try (TestStore store = new TestStore(on(options(data).memory(256L << 20).shards(shards), device));
            StoreClient client = store.client())
        {
            for (int i = 0; i < STABLE; i++)
            {
                assertArrayEquals(value(i), client.get(key("stable ", i)), "key=" + i);
            }
            int former = Integer.MAX_VALUE;
            final int first = Integer.parseInt(client.get("chain 0"));
            for (int i = 0; i < CHAIN; i++)
            {
                final int now = Integer.parseInt(client.get("chain " + i));
                assertTrue(now <= former, "missing, but a later write is there: key=" + i);
                assertTrue(now >= first - 1, "a write is missing of the round before: key=" + i);
                former = now;
            }
            for (int seed = 1; seed <= 2; seed++)
            {
                for (int i = 0; i < 40; i++)
                {
                    final byte[] found = client.get(key("load " + seed + " ", i));
                    assertTrue(found == null || isWhole(found), "seed=" + seed + " key=" + i);
                }
            }
            client.put("after", "restore");
            assertEquals("restore", client.get("after"));
        }
    }

    private static boolean isWhole(final byte[] found)
    {
        final int base = found.length >= 300_000 ? 300_000 : 200;
        return Arrays.equals(found, TestStore.randomBytes(found.length, 1000 + found.length - base));
    }

    @Test
    void shouldKeepTimesAndTakeNoVersionOfTheFormerTable() throws Exception
    {
        final Version ofFormer;
        try (TestStore store = new TestStore(options("data")); StoreClient client = store.client())
        {
            client.put("stays", "1");
            client.put("leaves", "soon");
            assertTrue(client.touch("leaves", Duration.ofHours(1)));
            take(client, NOBODY);
            client.put("stays", "2");
            ofFormer = client.getVersioned("stays").version();
        }
        restore("restored", 0);
        try (TestStore store = new TestStore(options("restored")); StoreClient client = store.client())
        {
            assertEquals("1", client.get("stays"));
            client.put("stays", "3");
            assertFalse(client.put("stays", "4", PutOptions.ifVersion(ofFormer)).applied());
            final Duration left = client.ttl("leaves").left();
            assertTrue(left.compareTo(Duration.ofHours(1)) <= 0 && left.compareTo(Duration.ofMinutes(50)) > 0);
            assertEquals("3", client.get("stays"));
        }
    }

    @Test
    void shouldRefuseWhereTheTableIsInMemoryOnly()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final String message = assertThrows(
                StoreStorageException.class, () -> client.backup(OutputStream.nullOutputStream(), NOBODY)).getMessage();
            assertTrue(message.contains("memory only") && message.contains("--data"), message);
        }
    }

    @Test
    void shouldMakeOneBackupAtATimeAndTheNextAfterIt() throws Exception
    {
        try (TestStore store = new TestStore(options("data")); StoreClient client = store.client())
        {
            client.put("key", "value");
            final AtomicReference<String> second = new AtomicReference<>();
            take(client, (taken, received, length) ->
            {
                if (second.get() == null)
                {
                    second.set(assertThrows(StoreConnectException.class,
                        () -> client.backup(OutputStream.nullOutputStream(), NOBODY)).getMessage());
                }
            });
            assertTrue(second.get().contains("another client takes a backup"), second.get());
            take(client, NOBODY);
            assertEquals(1, StoredBackup.verify(file(), (bytes) -> {}).records());
        }
    }

    /** After a backup whose client has left by itself, so that nothing told it when the server was done. */
    private void takeAgain(final StoreClient client) throws IOException
    {
        boolean isTaken = false;
        while (!isTaken)
        {
            try
            {
                take(client, NOBODY);
                isTaken = true;
            }
            catch (final StoreConnectException e)
            {
                assertTrue(e.getMessage().contains("another client takes a backup"), e.getMessage());
            }
        }
    }

    @Test
    void shouldEndABackupThatItsClientCannotStore() throws Exception
    {
        try (TestStore store = new TestStore(options("data")); StoreClient client = store.client())
        {
            client.put(key("long", 0), value(0));
            final OutputStream full = new OutputStream()
            {
                private int left = 100_000;

                @Override
                public void write(final int value) throws IOException
                {
                    if (--left < 0)
                    {
                        throw new IOException("No space left on device");
                    }
                }
            };
            assertThrows(IOException.class, () -> client.backup(full, NOBODY));
            takeAgain(client);
            assertEquals(1, StoredBackup.verify(file(), (bytes) -> {}).records());
        }
    }

    @Test
    void shouldTellOfABackupThatWasCut() throws Exception
    {
        try (TestStore store = new TestStore(options("data"));
            CuttingProxy proxy = new CuttingProxy(store.server().address().getPort());
            StoreClient client = store.clientBuilder().server(proxy.address()).build())
        {
            for (int i = 0; i < 20; i++)
            {
                client.put(key("long ", i), TestStore.randomBytes(LONG_LENGTH, i));
            }
            assertThrows(StoreException.class, () -> take(client, (taken, received, length) ->
            {
                if (received > 0)
                {
                    proxy.cut();
                }
            }));
            // Whatever has come of it is no backup.
            assertThrows(ServerException.class, () -> restore("cut", 0));
            assertFalse(Files.exists(folder.resolve("cut")));
            takeAgain(client);
            assertEquals(20, StoredBackup.verify(file(), (bytes) -> {}).records());
        }
    }

    @Test
    void shouldStopWhileABackupIsTaken() throws Exception
    {
        try (TestStore store = new TestStore(options("data")); StoreClient client = store.client())
        {
            for (int i = 0; i < 20; i++)
            {
                client.put(key("long ", i), TestStore.randomBytes(LONG_LENGTH, i));
            }
            assertThrows(StoreException.class, () -> take(client, (taken, received, length) ->
            {
                if (received > 0)
                {
                    store.server().close();
                }
            }));
            assertFalse(Files.exists(folder.resolve("data").resolve("backup")));
        }
    }

    @Test
    void shouldAskForTheTokenWithinTls() throws Exception
    {
        final TestAuthority authority = new TestAuthority("tests");
        final TlsOptions trusting = TlsOptions.DEFAULT.authorities(authority.write(folder.resolve("ca.crt")));
        try (TestStore store = new TestStore(options("data")
            .tls(authority.forLoopback().write(folder, "server")).token(Token.of("sesame"))))
        {
            assertThrows(StoreAccessException.class,
                () -> store.clientBuilder().tls(trusting).token(TestStore.bytes("wrong")).build());
            try (StoreClient client =
                store.clientBuilder().tls(trusting).token(TestStore.bytes("sesame")).build())
            {
                for (int i = 0; i < 20; i++)
                {
                    client.put(key("long ", i), TestStore.randomBytes(LONG_LENGTH, i));
                }
                take(client, NOBODY);
                assertEquals(20, StoredBackup.verify(file(), (bytes) -> {}).records());
            }
        }
    }
}
