package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.protocol.bootstrap.codec.RefusalCode;

/** What one address or identity may take of a server; all of 127.0.0.0/8 is this machine, but other addresses. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AddressLimitsTest
{
    private static final String NEAR = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private StoreServer server;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
        server.close();
    }

    @Test
    void shouldLetOneAddressHaveSoManySessions() throws IOException
    {
        start(new ServerOptions().maxSessionsPerAddress(2));
        from(NEAR).hello(null);
        from(NEAR).hello(null);
        final TestBootstrap third = from(NEAR);
        third.sendHello(Bootstrap.VERSION, "shm", "", null);
        final TestBootstrap.Refusal refusal = third.refusal();
        assertEquals(RefusalCode.CAPACITY, refusal.code());
        assertTrue(
            refusal.reason().endsWith("address=127.0.0.1 sessions=2 max-sessions-per-address=2"), refusal.reason());
        awaitRefused("sessions_per_address", 1);
        from(OTHER).hello(null);
    }

    @Test
    void shouldLetOneAddressHaveSoManyHandshakesAtATime() throws IOException
    {
        start(new ServerOptions().maxHandshakesPerAddress(3));
        final TestBootstrap other = from(OTHER);
        final List<TestBootstrap> silent = new ArrayList<>();
        for (int i = 0; i < 5; i++)
        {
            silent.add(from(NEAR));
        }
        for (int i = 0; i < 2; i++)
        {
            final TestBootstrap.Refusal refusal = silent.get(i).refusal();
            assertEquals(RefusalCode.CAPACITY, refusal.code());
            assertTrue(refusal.reason().contains("address=127.0.0.1 max-handshakes-per-address="), refusal.reason());
        }
        awaitRefused("handshakes_per_address", 2);
        other.hello(null);
        silent.get(4).hello(null);
    }

    @Test
    void shouldNotLetOneAddressThatHasItsShareKeepOthersWaiting() throws IOException
    {
        start(new ServerOptions().maxHandshakes(2).maxHandshakesPerAddress(1)
            .handshakeTimeoutNs(TimeUnit.MINUTES.toNanos(10)).leaseNs(TimeUnit.MINUTES.toNanos(10)));
        from(NEAR).hello(null);
        final TestBootstrap firstToWait = from(NEAR);
        final TestBootstrap silent = from(OTHER);
        final TestBootstrap behind = from("127.0.0.3");
        behind.hello(null);
        // It gives way to an address that has its share left, and has no more than its own.
        final TestBootstrap.Refusal refusal = silent.refusal();
        assertEquals(RefusalCode.CAPACITY, refusal.code());
        assertTrue(refusal.reason().contains("max-handshakes=2"), refusal.reason());
        assertTrue(firstToWait.isSilent());
    }

    @Test
    void shouldLetOneIdentityHaveSoManySessions(@TempDir final Path folder) throws IOException
    {
        final Path file = Files.writeString(folder.resolve("tokens"), "one:first\ntwo:second\n");
        start(new ServerOptions().tokens(Tokens.load(file)).maxSessions(4));
        for (int i = 0; i < 3; i++)
        {
            from(NEAR).hello(Bootstrap.VERSION, "shm", "first", null);
        }
        final TestBootstrap fourth = from(NEAR);
        fourth.sendHello(Bootstrap.VERSION, "shm", "first", null);
        final TestBootstrap.Refusal refusal = fourth.refusal();
        assertEquals(RefusalCode.CAPACITY, refusal.code());
        assertTrue(refusal.reason().endsWith("identity=one sessions=3 max-sessions-per-identity=3"), refusal.reason());
        awaitRefused("sessions_per_identity", 1);
        from(NEAR).hello(Bootstrap.VERSION, "shm", "second", null);
    }

    @Test
    void shouldLetNobodyResumeTheSessionOfAnother(@TempDir final Path folder) throws IOException
    {
        final Path file = Files.writeString(folder.resolve("tokens"), "one:first\ntwo:second\n");
        start(new ServerOptions().tokens(Tokens.load(file)));
        final TestBootstrap.Welcome welcome = from(NEAR).hello(Bootstrap.VERSION, "shm", "first", null);
        final TestBootstrap.Welcome other = from(NEAR).hello(Bootstrap.VERSION, "shm", "second", welcome);
        assertTrue(!other.isResumed() && other.session() != welcome.session());
        assertTrue(from(NEAR).hello(Bootstrap.VERSION, "shm", "first", welcome).isResumed());
    }

    private void awaitRefused(final String reason, final long count)
    {
        while (server.metrics().sessions().refusals().get(reason) != count)
        {
            Thread.yield();
        }
    }

    private void start(final ServerOptions options)
    {
        server = StoreServer.start(options.listenPort(0).memory(16 << 20).device("shm"));
    }

    private TestBootstrap from(final String address) throws IOException
    {
        final TestBootstrap bootstrap = new TestBootstrap(server.address(), address);
        opened.add(bootstrap);
        return bootstrap;
    }
}
