package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.codec.RefusalCode;

/**
 * What a server with several devices tells of them, and which of them a session may use.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OfferTest
{
    private static final String TCP = "tcp:127.0.0.1:0";

    private StoreServer server = StoreServer.start(options());

    private static ServerOptions options()
    {
        return new ServerOptions().listenPort(0).memory(16 << 20).shards(1).device("shm," + TCP);
    }

    @AfterEach
    void close()
    {
        server.close();
    }

    @Test
    void shouldTellItsDevicesAndEndTheConnection() throws IOException
    {
        try (TestBootstrap client = new TestBootstrap(server.address()))
        {
            client.sendHello(Bootstrap.VERSION, "", "", null);
            assertEquals(List.of(server.device().split(",")), client.offer());
            assertThrows(EOFException.class, client::refusal);
        }
        assertEquals(0, server.metrics().sessions().refused());
        assertEquals(0, server.sessionCount());
    }

    @Test
    void shouldTellItsDevicesToThoseWithTheTokenOnly() throws IOException
    {
        server.close();
        server = StoreServer.start(options().token(Token.of("secret")));
        for (final String device : new String[]{"", "ibv"})
        {
            try (TestBootstrap stranger = new TestBootstrap(server.address()))
            {
                stranger.sendHello(Bootstrap.VERSION, device, "guess", null);
                final TestBootstrap.Refusal refusal = stranger.refusal();
                assertEquals(RefusalCode.CREDENTIALS, refusal.code());
                assertFalse(refusal.reason().contains("shm"), refusal.reason());
            }
        }
    }

    @Test
    void shouldNameWhatItOffersToWhoComesWithAnotherDevice() throws IOException
    {
        try (TestBootstrap client = new TestBootstrap(server.address()))
        {
            client.sendHello(Bootstrap.VERSION, "ibv", "", null);
            final TestBootstrap.Refusal refusal = client.refusal();
            assertEquals(RefusalCode.DEVICE, refusal.code());
            assertEquals("this server offers " + server.device() + ", not the client's ibv", refusal.reason());
        }
    }

    @Test
    void shouldLogWhatAClientSaysAsOneLine() throws IOException
    {
        try (CapturedLog log = new CapturedLog(); TestBootstrap client = new TestBootstrap(server.address()))
        {
            client.sendHello(Bootstrap.VERSION, "ibv\nERROR forged\u001b[2J", "", null);
            assertEquals(RefusalCode.DEVICE, client.refusal().code());
            assertEquals(1, log.count("ibv ERROR forged [2J"), log.text());
        }
    }

    /** A release that knew of one device only says so by its version. */
    @Test
    void shouldRefuseTheReleaseBefore() throws IOException
    {
        try (TestBootstrap client = new TestBootstrap(server.address()))
        {
            client.sendHello(1, "shm", "", null);
            final TestBootstrap.Refusal refusal = client.refusal();
            assertEquals(RefusalCode.VERSION, refusal.code());
            assertTrue(refusal.reason().contains("use the same release on both sides"), refusal.reason());
        }
    }

    @Test
    void shouldResumeASessionOverTheDeviceThatItBeganWithOnly() throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            final TestBootstrap.Welcome session = client.welcome();
            try (TestBootstrap other = new TestBootstrap(server.address()))
            {
                final TestBootstrap.Welcome welcome = other.hello(Bootstrap.VERSION, "tcp", "", session);
                assertFalse(welcome.isResumed());
                assertTrue(welcome.session() != session.session());
            }
            try (TestBootstrap same = new TestBootstrap(server.address()))
            {
                assertTrue(same.hello(Bootstrap.VERSION, "shm", "", session).isResumed());
            }
        }
    }
}
