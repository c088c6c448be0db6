package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.VerbsException;

/**
 * What is still in use is not destroyed: EBUSY for every pair of objects of which one uses the other, and nothing
 * changes.
 */
final class DestroyConformanceTest extends Conformance
{
    private Context context;

    @BeforeEach
    void open()
    {
        context = closers.add(Devices.find(device).open());
    }

    @Test
    void shouldKeepAContextWithADomain() throws Exception
    {
        expectBusy(context, closers.add(context.allocateProtectionDomain()));
    }

    @Test
    void shouldKeepAContextWithMemory() throws Exception
    {
        expectBusy(context, closers.add(context.allocate(4096)));
    }

    @Test
    void shouldKeepAContextWithAChannel() throws Exception
    {
        expectBusy(context, closers.add(context.createCompletionChannel()));
    }

    @Test
    void shouldKeepAContextWithACompletionQueue() throws Exception
    {
        expectBusy(context, closers.add(context.createCompletionQueue(4, null, 0)));
    }

    @Test
    void shouldKeepAChannelWithACompletionQueue() throws Exception
    {
        final CompletionChannel channel = closers.add(context.createCompletionChannel());
        expectBusy(channel, closers.add(context.createCompletionQueue(4, channel, 0)));
    }

    @Test
    void shouldKeepMemoryWithARegion() throws Exception
    {
        final DeviceMemory memory = closers.add(context.allocate(8192));
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        expectBusy(memory, closers.add(domain.register(memory.range().slice(4096, 64), 0)));
    }

    @Test
    void shouldKeepADomainWithARegion() throws Exception
    {
        final DeviceMemory memory = closers.add(context.allocate(4096));
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        expectBusy(domain, closers.add(domain.register(memory.range(), 0)));
    }

    @Test
    void shouldKeepADomainWithASharedReceiveQueue() throws Exception
    {
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        expectBusy(domain, closers.add(domain.createSharedReceiveQueue(4, 1)));
    }

    @Test
    void shouldKeepADomainWithAQueuePair() throws Exception
    {
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        final CompletionQueue queue = closers.add(context.createCompletionQueue(4, null, 0));
        expectBusy(domain, closers.add(domain.createQueuePair(attributes(queue, queue, null))));
    }

    @Test
    void shouldKeepTheCompletionQueueOfSends() throws Exception
    {
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        final CompletionQueue sends = closers.add(context.createCompletionQueue(4, null, 0));
        final CompletionQueue receives = closers.add(context.createCompletionQueue(4, null, 0));
        expectBusy(sends, closers.add(domain.createQueuePair(attributes(sends, receives, null))));
    }

    @Test
    void shouldKeepTheCompletionQueueOfReceives() throws Exception
    {
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        final CompletionQueue sends = closers.add(context.createCompletionQueue(4, null, 0));
        final CompletionQueue receives = closers.add(context.createCompletionQueue(4, null, 0));
        expectBusy(receives, closers.add(domain.createQueuePair(attributes(sends, receives, null))));
    }

    @Test
    void shouldKeepASharedReceiveQueueWithAQueuePair() throws Exception
    {
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        final CompletionQueue queue = closers.add(context.createCompletionQueue(4, null, 0));
        final SharedReceiveQueue shared = closers.add(domain.createSharedReceiveQueue(4, 1));
        expectBusy(shared, closers.add(domain.createQueuePair(attributes(queue, queue, shared))));
    }

    @Test
    void shouldKeepACompletionQueueUntilTheLastOfItsQueuePairsIsGone() throws Exception
    {
        final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
        final CompletionQueue queue = closers.add(context.createCompletionQueue(4, null, 0));
        final QueuePair first = closers.add(domain.createQueuePair(attributes(queue, queue, null)));
        final QueuePair second = closers.add(domain.createQueuePair(attributes(queue, queue, null)));
        expectBusy(queue);
        closers.closeNow(first);
        expectBusy(queue, second);
    }

    @Test
    void shouldChangeNothingWhenBusy()
    {
        final Pair pair = pair();
        for (final AutoCloseable used : new AutoCloseable[] {
            pair.b.context, pair.b.domain, pair.b.memory, pair.b.channel, pair.b.sendQueue, pair.b.receiveQueue})
        {
            expectBusy(used);
        }
        pair.b.receive(1, 1024, 64);
        pair.a.fill(0, 64, 1);
        pair.a.send(2, 0, 64);
        pair.received(pair.b, 1);
        pair.sent(pair.a, 2);
        pair.b.expect(1024, 64, 1);
        pair.a.read(3, 64, 64, pair.b, 1024);
        pair.sent(pair.a, 3);
    }

    @Test
    void shouldDestroyAQueuePairInEveryState() throws Exception
    {
        for (final var state : Transition.STATES)
        {
            final Pair pair = unconnected(new Setup(), new Setup());
            Attributes.bring(pair, state);
            pair.a.closers.closeNow(pair.a.queuePair);
            pair.close();
        }
    }

    @Test
    void shouldLeaveNothingBehindHoweverOftenMade() throws Exception
    {
        for (int i = 0; i < 200; i++)
        {
            final ProtectionDomain domain = closers.add(context.allocateProtectionDomain());
            final DeviceMemory memory = closers.add(context.allocate(4096));
            final MemoryRegion region = closers.add(domain.register(memory.range(), 0));
            final CompletionChannel channel = closers.add(context.createCompletionChannel());
            final CompletionQueue queue = closers.add(context.createCompletionQueue(4, channel, 0));
            final QueuePair queuePair = closers.add(domain.createQueuePair(attributes(queue, queue, null)));
            for (final AutoCloseable used : new AutoCloseable[] {queuePair, queue, channel, region, memory, domain})
            {
                closers.closeNow(used);
            }
        }
        closers.closeNow(context);
    }

    @Test
    void shouldNotMindBeingClosedTwice() throws Exception
    {
        final Pair pair = pair();
        final Side side = side(new Setup());
        side.close();
        final AutoCloseable[] closed =
        {
            side.queuePair, side.sendQueue, side.receiveQueue, side.channel, side.region, side.memory, side.domain,
            side.context
        };
        for (final AutoCloseable one : closed)
        {
            assertDoesNotThrow(one::close, one.toString());
        }
        pair.a.write(1, 0, 8, pair.b, 0);
        pair.sent(pair.a, 1);
    }

    @Test
    void shouldNameTheVerbThatFailsOnAClosedQueuePair() throws Exception
    {
        final Side side = side(new Setup());
        side.queuePair.close();
        expectClosed("query_qp", side.queuePair::query);
        expectClosed("modify_qp", () -> ReliableConnection.fail(side.queuePair));
    }

    private static void expectClosed(final String verb, final Executable call)
    {
        final VerbsException refused = assertThrows(VerbsException.class, call);
        assertEquals(verb, refused.verb());
        assertEquals(Errno.EINVAL, refused.errno(), refused.getMessage());
    }

    private static QueuePairInitAttributes attributes(
        final CompletionQueue sends, final CompletionQueue receives, final SharedReceiveQueue shared)
    {
        return new QueuePairInitAttributes(sends, receives, shared, 4, 4, 1, 1, 0, false, false);
    }

    private static void expectBusy(final AutoCloseable used)
    {
        final VerbsException refused = assertThrows(VerbsException.class, used::close);
        assertEquals(Errno.EBUSY, refused.errno(), refused.getMessage());
    }

    /**
     * It cannot be closed before its user is, and can after.
     */
    private void expectBusy(final AutoCloseable used, final AutoCloseable user) throws Exception
    {
        expectBusy(used);
        expectBusy(used);
        closers.closeNow(user);
        // Whatever else was opened from it goes first.
        if (used == context)
        {
            closers.close();
        }
        else
        {
            closers.closeNow(used);
        }
    }
}
