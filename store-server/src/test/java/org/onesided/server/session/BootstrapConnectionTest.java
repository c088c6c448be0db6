package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BootstrapConnectionTest
{
    private static final long SILENCE = 10;
    private static final long PAUSE = 50;
    private static final long WHOLE = 100;
    private static final long STEP = 200;

    private Selector selector;
    private ServerSocketChannel listener;
    private MessageChannel client;
    private BootstrapConnection connection;

    private final class Owner implements BootstrapConnection.Owner
    {
        @Override
        public MessageChannel channel(final SocketChannel socket, final Runnable whenDone) throws IOException
        {
            return new MessageChannel(socket, Bootstrap.MAX_HELLO_LENGTH);
        }

        @Override
        public void onDone(final BootstrapConnection done)
        {
            throw new AssertionError("nothing takes long without TLS");
        }

        @Override
        public void onClosed(final BootstrapConnection one)
        {
        }

        @Override
        public void onLeaving(final BootstrapConnection one)
        {
            throw new AssertionError("nobody refuses it");
        }
    }

    @BeforeEach
    void connect() throws IOException
    {
        selector = Selector.open();
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = new MessageChannel(SocketChannel.open(listener.getLocalAddress()), Bootstrap.MAX_MESSAGE_LENGTH);
        connection = new BootstrapConnection(listener.accept(), selector, 0, 1000, new Owner());
    }

    @AfterEach
    void close()
    {
        connection.close();
        CloseHelper.closeAll(client, listener, selector);
    }

    private boolean isStale(final long now)
    {
        return connection.isStale(now, SILENCE, PAUSE, WHOLE, STEP);
    }

    @Test
    void shouldGiveWayWhileItKeepsTheServerWaitingForItsHello()
    {
        assertFalse(isStale(SILENCE - 1));
        assertTrue(isStale(SILENCE));
        connection.heard(5);
        assertFalse(isStale(PAUSE + 4));
        assertTrue(isStale(PAUSE + 5));
        connection.heard(WHOLE - 1);
        assertFalse(isStale(WHOLE - 1));
        // However it drips.
        assertTrue(isStale(WHOLE));
    }

    @Test
    void shouldNotGiveWayForTheTimeThatTheServerTook()
    {
        connection.done(WHOLE);
        connection.heard(WHOLE);
        assertFalse(isStale(WHOLE + PAUSE - 1));
        connection.heard(WHOLE + WHOLE - 1);
        assertFalse(isStale(WHOLE + WHOLE - 1));
        assertTrue(isStale(WHOLE + WHOLE));
        for (final BootstrapConnection.State state : new BootstrapConnection.State[]{
            BootstrapConnection.State.DRAINING, BootstrapConnection.State.CONNECTING})
        {
            connection.state(state);
            assertFalse(isStale(1000 * WHOLE), state.toString());
        }
    }

    @Test
    void shouldGiveWayWhileItKeepsTheServerWaitingAfterItsHello()
    {
        connection.heard(1);
        connection.await(BootstrapConnection.State.CONNECT, 5);
        assertFalse(isStale(STEP + 4));
        // However it drips.
        connection.heard(STEP + 4);
        assertTrue(isStale(STEP + 5));
        // While the server makes queue pairs.
        connection.state(BootstrapConnection.State.CONNECTING);
        assertFalse(isStale(10 * STEP));
        connection.await(BootstrapConnection.State.READY, 10 * STEP);
        assertFalse(isStale(11 * STEP - 1));
        assertTrue(isStale(11 * STEP));
        connection.state(BootstrapConnection.State.OPEN);
        assertFalse(isStale(100 * STEP));
    }

    @Test
    void shouldNotGiveWayForTimeThatNobodyCouldUse()
    {
        connection.excuse(WHOLE);
        assertEquals(1000 + WHOLE, connection.deadlineNs());
        assertFalse(isStale(WHOLE + SILENCE - 1));
        assertTrue(isStale(WHOLE + SILENCE));
        connection.heard(WHOLE + SILENCE);
        connection.excuse(WHOLE);
        assertFalse(isStale(WHOLE + WHOLE + PAUSE));
    }

    @Test
    void shouldLetNobodyWriteLinesOfTheLogOrTalkToTerminals()
    {
        assertEquals("no such device: a b [31m c 1m d e f",
            LastMessage.line("no such device: a\nb\u001B[31m\u0085c\u009B1m\u2028d\u2029e\u007Ff"));
    }

    @Test
    void shouldBoundReasons()
    {
        final String longest = "x".repeat(Bootstrap.MAX_REASON_LENGTH / 4);
        assertEquals(longest, LastMessage.line(longest + "y"));
        assertEquals("null", LastMessage.line(null));
    }
}
