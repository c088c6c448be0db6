package org.onesided.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.ServerOptions;
import org.onesided.testing.CuttingProxy;
import org.onesided.tools.kvctl.Kvctl;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsStoreTest
{
    @TempDir
    private Path folder;

    private TestAuthority authority;
    private Path authorities;
    private TlsOptions ofServer;
    private TlsOptions trusting;

    @BeforeEach
    void makeCertificates() throws IOException, GeneralSecurityException
    {
        authority = new TestAuthority("tests");
        authorities = authority.write(folder.resolve("ca.crt"));
        ofServer = authority.forLoopback().write(folder, "server");
        trusting = TlsOptions.DEFAULT.authorities(authorities);
    }

    @Test
    void shouldServeWithinTls()
    {
        try (TestStore store = new TestStore(options().token(Token.of("sesame")).shards(16)))
        {
            try (StoreClient client = clientBuilder(store).tls(trusting).token(TestStore.bytes("sesame")).build())
            {
                client.put("key", "value");
                assertEquals("value", client.get("key"));
                // Over the life line, and back.
                assertTrue(client.reportedStatistics().puts() > 0);
            }
            assertThrows(StoreAccessException.class, () -> clientBuilder(store).tls(trusting).build());
        }
    }

    @Test
    void shouldKeepTheLifeLineWithinTls() throws IOException
    {
        try (TestStore store = new TestStore(options());
            CuttingProxy proxy = new CuttingProxy(store.server().address().getPort());
            StoreClient client = clientBuilder(store).server(proxy.address()).tls(trusting).build())
        {
            client.put("key", "value");
            for (int i = 0; i < 50; i++)
            {
                assertTrue(client.reportedStatistics().puts() > 0);
            }
            assertEquals(0, store.server().metrics().sessions().expired());
            proxy.cut();
            do
            {
                // Until the server has noticed, requests may still go through.
                client.put("key", "after the cut");
                assertEquals("after the cut", client.get("key"));
            }
            while (client.clientStatistics().reconnects() == 0);
            assertEquals(1, client.clientStatistics().reconnects());
        }
    }

    @Test
    void shouldTellBothSidesThatOneDoesNotSpeakTls()
    {
        try (TestStore store = new TestStore(options()))
        {
            // For the client's user, without what the server's log says.
            assertEquals("server speaks TLS only, connect within TLS (kvctl: --tls-ca with its authority's " +
                "certificate, or --tls if Java trusts that): server=" + store.address(), assertThrows(
                    StoreConnectException.class, () -> clientBuilder(store).build()).getMessage());
            awaitRefused(store, "tls", 1);
        }
        try (TestStore store = new TestStore())
        {
            assertEquals("the program that listens there does not speak TLS, connect without it (kvctl: no --tls... " +
                "option, no KVCTL_TLS... variable) or give the server --tls-certificate and --tls-key: server=" +
                store.address(),
                assertThrows(
                    StoreConnectException.class, () -> clientBuilder(store).tls(trusting).build()).getMessage());
            awaitRefused(store, "tls", 1);
            assertEquals(0, refused(store, "protocol"));
        }
    }

    @Test
    void shouldTellWhyCertificatesAreNotTrusted() throws IOException, GeneralSecurityException
    {
        final TestAuthority other = new TestAuthority("other");
        try (TestStore store = new TestStore(options()))
        {
            final TlsOptions trustingOther = TlsOptions.DEFAULT.authorities(other.write(folder.resolve("other.crt")));
            assertSays("server's certificate is not trusted", assertThrows(
                StoreAccessException.class, () -> clientBuilder(store).tls(trustingOther).build()));
        }
        try (TestStore store = new TestStore(options().tls(ofServer.authorities(authorities))))
        {
            assertSays("server wants a certificate", assertThrows(
                StoreAccessException.class, () -> clientBuilder(store).tls(trusting).build()));
            final TlsOptions stranger = other.forClient("stranger").write(folder, "stranger").authorities(authorities);
            assertSays("server wants a certificate", assertThrows(
                StoreAccessException.class, () -> clientBuilder(store).tls(stranger).build()));
            awaitRefused(store, "tls", 2);
        }
    }

    @Tag("full")
    @Test
    void shouldKnowClientsByTheirCertificates() throws IOException, GeneralSecurityException
    {
        final ServerOptions options =
            options().tls(ofServer.authorities(authorities)).listenHost("0.0.0.0").maxSessionsPerIdentity(1);
        try (TestStore store = new TestStore(options);
            StoreClient reader = clientBuilder(store).tls(client("reader")).maxSessions(1).build();
            StoreClient writer = clientBuilder(store).tls(client("writer")).maxSessions(1).build())
        {
            writer.put("key", "value");
            assertEquals("value", reader.get("key"));
            assertEquals(
                Map.of("CN=reader", 1, "CN=writer", 1), store.server().metrics().sessions().identities());
            // Until its deadline it tries again: another client may leave.
            assertSays("identity=CN=reader", assertThrows(StoreException.class, () ->
                clientBuilder(store).tls(client("reader")).deadline(Duration.ofSeconds(5)).build()));
            assertTrue(refused(store, "sessions_per_identity") > 0);
        }
    }

    @Test
    void shouldLetReadersByTheirCertificatesLookUpOnly() throws Exception
    {
        // Ends the common name, which the authority puts between quotes.
        final TlsOptions ofReader =
            authority.forClient("reports\",OU=\"read-only").write(folder, "reader").authorities(authorities);
        try (TestStore store = new TestStore(options().tls(ofServer.authorities(authorities)));
            StoreClient writer = clientBuilder(store).tls(client("writer")).build();
            StoreClient reader = clientBuilder(store).tls(ofReader).build())
        {
            writer.put("key", "17");
            final List<Executable> changes = List.of(
                () -> reader.put("key", "other"),
                () -> reader.put("other", "x".repeat(1 << 20)),
                () -> reader.delete("key"),
                () -> reader.putIfAbsent("other", "x"),
                () -> reader.increment("key", 1),
                () -> reader.append("key", "x"),
                () -> reader.touch("key", Duration.ofHours(1)),
                () -> reader.getAndDelete("key"),
                () -> reader.update("key", (value) -> "18"),
                reader::snapshot);
            changes.forEach((change) -> assertThrows(StoreReadOnlyException.class, change));
            final StoreBatchException batch = assertThrows(StoreBatchException.class, () -> reader.putAll(
                List.of(TestStore.bytes("key"), TestStore.bytes("other")),
                List.of(TestStore.bytes("a"), TestStore.bytes("b"))));
            assertInstanceOf(StoreReadOnlyException.class, batch.getCause());
            assertEquals(2, batch.count(WriteFate.NOT_APPLIED));
            assertInstanceOf(StoreReadOnlyException.class, assertThrows(
                ExecutionException.class, () -> reader.async().put("key", "other").get()).getCause());

            assertEquals("17", reader.get("key"));
            assertEquals("17", reader.async().get("key").get());
            assertEquals(1, reader.statistics().stream().mapToLong((shard) -> shard.records()).sum());
            assertEquals("17", writer.get("key"));
        }
    }

    @Test
    void shouldKnowClientsByTheNamesOfTheirTokens() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("tokens"), "# who\nreports:first\n\nbatch:second:one\n");
        try (TestStore store = new TestStore(TestStore.options().tokens(Tokens.load(file)));
            StoreClient first = clientBuilder(store).token(TestStore.bytes("first")).maxSessions(1).build();
            StoreClient second = clientBuilder(store).token(TestStore.bytes("second:one")).maxSessions(1).build())
        {
            first.put("key", "value");
            assertEquals("value", second.get("key"));
            assertEquals(Map.of("reports", 1, "batch", 1), store.server().metrics().sessions().identities());
            assertThrows(
                StoreAccessException.class, () -> clientBuilder(store).token(TestStore.bytes("reports")).build());
        }
    }

    @Test
    void shouldNotTakeEncryptionForCredentials()
    {
        final IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> new TestStore(options().listenHost("0.0.0.0")));
        assertTrue(thrown.getMessage().startsWith("without a token a server listens on this machine only: "),
            thrown.getMessage());
        assertTrue(thrown.getMessage().contains("--tls-client-ca"), thrown.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new TestStore(TestStore.options().tls(trusting)));
    }

    @Test
    void shouldServeOthersWhileManyAreSlowAtTheirHandshakes() throws IOException
    {
        final List<Socket> slow = new ArrayList<>();
        try (TestStore store = new TestStore(options()))
        {
            beSlow(store, slow);
            try (StoreClient client = clientBuilder(store).tls(trusting).build())
            {
                client.put("key", "value");
                assertEquals("value", client.get("key"));
            }
            assertEquals(0, refused(store, "handshake_timeout"));
        }
        finally
        {
            CloseHelper.closeAll(slow);
        }
    }

    @Test
    void shouldCutHandshakesThatTakeTooLong() throws IOException
    {
        final List<Socket> slow = new ArrayList<>();
        try (TestStore store = new TestStore(options().handshakeTimeoutNs(TimeUnit.MILLISECONDS.toNanos(300))))
        {
            beSlow(store, slow);
            for (final Socket socket : slow)
            {
                socket.setSoTimeout(60_000);
                // TLS' own leave at most, and the end.
                assertTrue(socket.getInputStream().readAllBytes().length < 100);
            }
            awaitRefused(store, "handshake_timeout", slow.size());
        }
        finally
        {
            CloseHelper.closeAll(slow);
        }
    }

    private static void beSlow(final TestStore store, final List<Socket> slow) throws IOException
    {
        for (int i = 0; i < 20; i++)
        {
            final Socket socket = new Socket("127.0.0.1", store.server().address().getPort());
            slow.add(socket);
            socket.getOutputStream().write(new byte[]{22, 3, 1, 2, 0, 1, 0, 1, (byte)0xFC, 3, 3});
        }
    }

    @Test
    void shouldReachAServerWithinTlsFromTheCommandLine() throws IOException, GeneralSecurityException
    {
        client("reader");
        try (TestStore store = new TestStore(options().tls(ofServer.authorities(authorities))))
        {
            final List<String> options = List.of(
                "--server", store.address(), "--device", "shm", "--tls-ca", authorities.toString(),
                "--tls-certificate", folder.resolve("reader.crt").toString(),
                "--tls-key", folder.resolve("reader.key").toString());
            assertEquals("", kvctl(0, Map.of(), options, "put", "key", "value"));
            final Map<String, String> variables = Map.of(
                "KVCTL_SERVER", store.address(), "KVCTL_DEVICE", "shm", "KVCTL_TLS_CA", authorities.toString(),
                "KVCTL_TLS_CERTIFICATE", folder.resolve("reader.crt").toString(),
                "KVCTL_TLS_KEY", folder.resolve("reader.key").toString());
            assertEquals("value", kvctl(0, variables, List.of(), "get", "key"));
            final List<String> plain = List.of("--server", store.address(), "--device", "shm");
            assertTrue(kvctl(4, Map.of(), plain, "get", "key").contains("--tls-ca"));
            assertTrue(kvctl(4, Map.of("KVCTL_TLS", "1"), plain, "get", "key").contains("--tls-ca"));
            assertEquals(
                "kvctl get: the key's certificate is missing, give it, too (kvctl: --tls-certificate): key=x\n",
                kvctl(2, Map.of(), List.of("--tls-key", "x"), "get", "key"));
            assertEquals(
                "kvctl get: the certificate's key is missing, give it, too (kvctl: --tls-key): certificate=x\n",
                kvctl(2, Map.of(), List.of("--tls-certificate", "x"), "get", "key"));
        }
    }

    private static String kvctl(
        final int exitCode, final Map<String, String> variables, final List<String> options, final String... command)
        throws IOException
    {
        final List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of(command));
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int code = Kvctl.run(
            arguments, new ByteArrayInputStream(new byte[0]), out, new PrintStream(err, true, UTF_8), variables);
        assertEquals(exitCode, code, err.toString(UTF_8));
        assertFalse(err.toString(UTF_8).strip().contains("\n"), err.toString(UTF_8));
        return out.toString(UTF_8) + err.toString(UTF_8);
    }

    private TlsOptions client(final String name) throws IOException, GeneralSecurityException
    {
        return authority.forClient(name).write(folder, name).authorities(authorities);
    }

    private ServerOptions options()
    {
        // The first handshake of a process loads much of Java, on a busy machine for long.
        return TestStore.options().tls(ofServer).handshakeTimeoutNs(TimeUnit.MINUTES.toNanos(1));
    }

    private static StoreClientBuilder clientBuilder(final TestStore store)
    {
        return store.clientBuilder().deadline(Duration.ofMinutes(1));
    }

    private static long refused(final TestStore store, final String reason)
    {
        return store.server().metrics().sessions().refusals().get(reason);
    }

    /** Metrics are those of the acceptor's last turn. */
    private static void awaitRefused(final TestStore store, final String reason, final long count)
    {
        while (refused(store, reason) != count)
        {
            Thread.yield();
        }
    }

    private static void assertSays(final String words, final StoreException thrown)
    {
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
        assertFalse(thrown.getMessage().contains("\n"), thrown.getMessage());
    }
}
