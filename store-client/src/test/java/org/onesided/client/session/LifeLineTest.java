package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RetireEncoder;
import org.onesided.protocol.bootstrap.codec.SamplingEncoder;
import org.onesided.protocol.table.Superblock;

class LifeLineTest
{
    private static final long LEASE_MS = 60_000;
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(100);
    /** Later than the heartbeats of a test. */
    private static final long FAR_NS = 10 * SILENCE_NS;

    private final Counters counters = new Counters();
    private final CompletionLoop loop =
        new CompletionLoop(new FakeWire(), FakeWire.silentChannel(), new Deadline(), 0);
    private ServerSocketChannel listener;

    @BeforeEach
    void listen() throws IOException
    {
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException
    {
        loop.close();
        listener.close();
    }

    private SessionLine line() throws IOException
    {
        return line(null);
    }

    private SessionLine line(final Table table) throws IOException
    {
        return line(channel(), table, 0);
    }

    private MessageChannel channel() throws IOException
    {
        return new MessageChannel(SocketChannel.open(listener.getLocalAddress()), Bootstrap.MAX_MESSAGE_LENGTH);
    }

    private SessionLine line(final MessageChannel channel, final Table table, final long silenceNs)
    {
        return new SessionLine(
            channel,
            loop,
            LEASE_MS,
            silenceNs,
            counters,
            new Confirmation(table, loop, () -> {}, 0),
            new AccessReports(new AccessSampler(false, () -> {}, () -> {}), counters, 1, () -> 1, System.nanoTime()));
    }

    /** What the server was told over the next connection until that ended. */
    private SessionTotals told() throws IOException
    {
        SessionTotals told = SessionTotals.NONE;
        try (MessageChannel channel = new MessageChannel(listener.accept(), Bootstrap.MAX_MESSAGE_LENGTH))
        {
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (channel.receive(deadlineNs) == HeartbeatDecoder.TEMPLATE_ID)
            {
                told = SessionTotals.read(new HeartbeatDecoder()
                    .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()));
            }
            assertEquals(GoodbyeDecoder.TEMPLATE_ID,
                new MessageHeaderDecoder().wrap(channel.message(), 0).templateId());
        }
        return told;
    }

    @Test
    void shouldTellOfWhatWasDoneOverAConnectionThatEndedWithoutAWord() throws IOException
    {
        final SessionLine first = line();
        listener.accept().close();
        counters.add(Counters.PUTS, 3);
        first.drop();
        final SessionLine second = line();
        counters.increment(Counters.HITS);
        second.close("test ends");

        final SessionTotals told = told();
        assertEquals(3, told.puts());
        assertEquals(1, told.hits());
    }

    @Test
    void shouldTellOfEverythingOnce() throws IOException
    {
        final SessionLine first = line();
        counters.add(Counters.PUTS, 3);
        first.close("session ends");
        assertEquals(3, told().puts());
        final SessionLine second = line();
        counters.increment(Counters.PUTS);
        second.close("session ends");
        assertEquals(1, told().puts());
        line().close("nothing was done");

        assertEquals(SessionTotals.NONE, told());
    }

    @Test
    @Timeout(60)
    void shouldLookAgainAtWhatCouldNotBeLookedAt() throws IOException, InterruptedException
    {
        final CountDownLatch looks = new CountDownLatch(2);
        final LifeLine lifeLine = LifeLine.share();
        final Watched watched = (nowNs) ->
        {
            looks.countDown();
            if (looks.getCount() > 0)
            {
                throw new OutOfMemoryError("no thread for a test");
            }
            return false;
        };
        try
        {
            lifeLine.watch(watched);
            lifeLine.lookSoon();
            looks.await();
        }
        finally
        {
            lifeLine.unwatch(watched);
            lifeLine.close();
        }
    }

    @Test
    void shouldEndASessionWhoseServerAnswersNoHeartbeat() throws IOException
    {
        final SessionLine line = line(channel(), null, SILENCE_NS);
        final long nowNs = System.nanoTime();
        line.beat(nowNs + SILENCE_NS);
        assertFalse(loop.isLost());
        line.beat(nowNs + FAR_NS);

        assertTrue(loop.lostReason().startsWith("server is silent: milliseconds="), loop.lostReason());
    }

    /** No heartbeat was sent that the server could owe an answer to. */
    @Test
    void shouldEndASessionWhoseServerReadsNothing() throws IOException
    {
        final MessageChannel channel = channel();
        final SessionLine line = line(channel, null, SILENCE_NS);
        fill(channel);
        final long nowNs = System.nanoTime();
        line.beat(nowNs + SILENCE_NS);
        assertFalse(loop.isLost());
        line.beat(nowNs + FAR_NS);

        assertTrue(loop.lostReason().startsWith("server is silent: milliseconds="), loop.lostReason());
    }

    /** Until the socket takes nothing more. */
    private static void fill(final MessageChannel channel) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        // The system may still move bytes to the receiver's side.
        for (int refused = 0; refused < 100; refused++)
        {
            bytes.clear();
            while (channel.socket().write(bytes) > 0)
            {
                refused = 0;
            }
            LockSupport.parkNanos(100_000);
        }
        channel.greet();
        assertFalse(channel.flush());
    }

    @Test
    void shouldGoOnWithAServerThatReadsAgain() throws IOException
    {
        final MessageChannel channel = channel();
        final SessionLine line = line(channel, null, SILENCE_NS);
        fill(channel);
        final long nowNs = System.nanoTime();
        line.beat(nowNs + SILENCE_NS);
        try (SocketChannel server = listener.accept())
        {
            final ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
            while (!channel.flush())
            {
                bytes.clear();
                server.read(bytes);
            }
            line.beat(nowNs + FAR_NS);
            assertFalse(loop.isLost(), loop.lostReason());
        }
    }

    @Test
    void shouldEndASessionWhoseServerSendsHeartbeatsThatAnswerNone() throws IOException
    {
        final SessionLine line = line();
        try (MessageChannel channel = new MessageChannel(listener.accept(), Bootstrap.MAX_MESSAGE_LENGTH))
        {
            final HeartbeatEncoder heartbeat =
                new HeartbeatEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder());
            SessionTotals.NONE.write(heartbeat);
            channel.send(heartbeat.limit(), System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!loop.isLost() && System.nanoTime() - endNs < 0)
            {
                line.lastWords();
                Thread.yield();
            }
        }
        assertEquals("server sent a heartbeat that answers none", loop.lostReason());
    }

    @Test
    void shouldEndASessionWhoseServerRetiresMoreBeforeItHasConfirmed() throws IOException
    {
        final Superblock superblock = new Superblock(1, 2, 1, 1 << 20, 3, 4, List.of());
        final SessionLine line = line(new Table(superblock, 1, 0, (length) -> null));
        try (MessageChannel channel = new MessageChannel(listener.accept(), Bootstrap.MAX_MESSAGE_LENGTH))
        {
            for (int epoch = 1; epoch <= 2; epoch++)
            {
                final RetireEncoder retire = new RetireEncoder();
                retire.wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).epoch(epoch);
                retire.shardsCount(0);
                channel.send(retire.limit(), System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
            }
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!loop.isLost() && System.nanoTime() - endNs < 0)
            {
                line.lastWords();
                Thread.yield();
            }
        }
        assertEquals("server retires memory before the last was confirmed", loop.lostReason());
    }

    @Test
    void shouldEndASessionWhoseServerChangesTooOftenWhatIsSampled() throws IOException
    {
        final SessionLine line = line();
        try (MessageChannel channel = new MessageChannel(listener.accept(), Bootstrap.MAX_MESSAGE_LENGTH))
        {
            final SamplingEncoder sampling = new SamplingEncoder();
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            for (int i = 0; i < 1000; i++)
            {
                sampling.wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).bits((short)(i % 2));
                channel.send(sampling.limit(), endNs);
            }
            while (!loop.isLost() && System.nanoTime() - endNs < 0)
            {
                line.lastWords();
                Thread.yield();
            }
        }
        assertEquals("server changes too often which lookups it samples", loop.lostReason());
    }
}
