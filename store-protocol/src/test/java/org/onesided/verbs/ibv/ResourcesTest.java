package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Closure;
import com.kenai.jffi.ClosureManager;
import com.kenai.jffi.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Access;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;

/**
 * Resources on a library of this process.
 */
class ResourcesTest
{
    private final NativeArray fds = new NativeArray(Long.BYTES);
    private final FakeLibrary fake = new FakeLibrary();
    private final FakeVerbs verbs = new FakeVerbs(fake, pipe());
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void end()
    {
        verbs.close();
        fake.close();
        Posix.close(UnsafeApi.getInt(fds.range().address()));
        Posix.close(UnsafeApi.getInt(fds.range().address() + Integer.BYTES));
        fds.close();
    }

    @Test
    void shouldTakeAllBackWhateverFails() throws Exception
    {
        int failingCall = 1;
        while (failed(failingCall))
        {
            failingCall++;
            assertTrue(failingCall < 100, "calls=" + failingCall);
        }
        assertTrue(failingCall > 12, "a setup calls less often than it should: calls=" + failingCall);
    }

    @Test
    void shouldNotMistakeAQueuePairForAClosedOneOfItsNumber()
    {
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final ProtectionDomain domain = context.allocateProtectionDomain();
        final CompletionQueue queue = context.createCompletionQueue(4, null, 0);
        verbs.nextNumber(77);
        final QueuePair first = domain.createQueuePair(attributes(queue, null));
        assertEquals(77, first.number());
        initialise(first);
        first.close();
        verbs.nextNumber(77);
        final QueuePair second = domain.createQueuePair(attributes(queue, null));
        assertNotEquals(77, second.number());
        assertEquals(fake.calls("ibv_create_qp"), 1 + fake.calls("ibv_destroy_qp"));
        second.close();
        // This one never got as far as a completion, so its number may come again.
        verbs.nextNumber(90);
        domain.createQueuePair(attributes(queue, null)).close();
        verbs.nextNumber(90);
        final QueuePair third = domain.createQueuePair(attributes(queue, null));
        assertEquals(90, third.number());
        third.close();
        queue.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldNotMistakeAQueuePairForOneThatIsJustBeingDestroyed()
    {
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final ProtectionDomain domain = context.allocateProtectionDomain();
        final CompletionQueue queue = context.createCompletionQueue(4, null, 0);
        verbs.nextNumber(77);
        final QueuePair first = domain.createQueuePair(attributes(queue, null));
        initialise(first);
        final Deque<QueuePair> others = new ArrayDeque<>();
        fake.on("ibv_destroy_qp", (a) ->
        {
            // The number is free already when somebody else makes a queue pair.
            if (others.isEmpty() && fake.calls("ibv_destroy_qp") == 1)
            {
                verbs.nextNumber(77);
                others.add(domain.createQueuePair(attributes(queue, null)));
            }
            return 0;
        });
        first.close();
        assertNotEquals(77, others.element().number());
        others.element().close();
        queue.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldTellThatAQueuePairOfNoUseCouldNotBeDestroyed()
    {
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final ProtectionDomain domain = context.allocateProtectionDomain();
        final CompletionQueue queue = context.createCompletionQueue(4, null, 0);
        verbs.nextNumber(77);
        final QueuePair first = domain.createQueuePair(attributes(queue, null));
        initialise(first);
        first.close();
        verbs.nextNumber(77);
        fake.on("ibv_destroy_qp", (a) -> Errno.EIO);
        final VerbsException failed =
            assertThrows(VerbsException.class, () -> domain.createQueuePair(attributes(queue, null)));
        assertEquals("destroy_qp", failed.verb());
        assertEquals(Errno.EIO, failed.errno());
        assertEquals(1, failed.getSuppressed().length, "the one to be used");
        queue.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldDestroyAQueuePairThatIsNotWhatWasAskedFor()
    {
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final ProtectionDomain domain = context.allocateProtectionDomain();
        final CompletionQueue queue = context.createCompletionQueue(4, null, 0);
        verbs.nextNumber(0);
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> domain.createQueuePair(attributes(queue, null)));
        assertEquals(Errno.EOPNOTSUPP, refused.errno());
        assertEquals(1, fake.calls("ibv_destroy_qp"));
        queue.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldAllocateZeroedMemoryThatCanBeWrittenEverywhere()
    {
        try (Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library()))
        {
            for (final HugePages hugePages : new HugePages[] {HugePages.OFF, HugePages.AUTO})
            {
                try (DeviceMemory memory = context.allocate((4 << 20) + 5, hugePages))
                {
                    assertEquals((4 << 20) + 5, memory.range().length());
                    assertEquals(0, memory.range().address() % UnsafeApi.pageSize());
                    for (long offset = 0; offset < memory.range().length(); offset += 4097)
                    {
                        assertEquals(0, UnsafeApi.getByte(memory.range().addressOf(offset, 1)));
                        UnsafeApi.putByte(memory.range().addressOf(offset, 1), (byte)1);
                    }
                    assertTrue(hugePages != HugePages.OFF || !memory.hugePages());
                }
            }
        }
    }

    @Test
    void shouldRefuseMemoryThatCannotBeHad()
    {
        try (Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library()))
        {
            for (final long length : new long[] {1L << 46, Long.MAX_VALUE})
            {
                for (final HugePages hugePages : HugePages.values())
                {
                    final VerbsException refused =
                        assertThrows(VerbsException.class, () -> context.allocate(length, hugePages));
                    assertTrue(
                        refused.errno() == Errno.ENOMEM || refused.errno() == Errno.EOPNOTSUPP, refused.getMessage());
                    assertTrue(refused.getMessage().contains("length=" + length), refused.getMessage());
                }
            }
            for (final long length : new long[] {0, -1})
            {
                assertEquals(
                    Errno.EINVAL, assertThrows(VerbsException.class, () -> context.allocate(length)).errno());
            }
        }
    }

    @Test
    void shouldTellOfEventsAndWakeUps() throws Exception
    {
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final CompletionChannel channel = context.createCompletionChannel();
        fake.on("ibv_get_cq_event", (a) ->
        {
            fake.errno(Errno.EAGAIN);
            return -1;
        });
        assertNull(channel.awaitEvent(0));
        assertNull(channel.awaitEvent(1000));
        channel.wakeUp();
        channel.wakeUp();
        assertNull(channel.awaitEvent(Long.MAX_VALUE), "woken before");
        final Thread waker = new Thread(channel::wakeUp, "waker");
        waker.start();
        assertNull(channel.awaitEvent(Long.MAX_VALUE), "woken meanwhile");
        waker.join();
        fake.on("ibv_get_cq_event", (a) ->
        {
            fake.errno(Errno.EIO);
            return -1;
        });
        assertEquals(Errno.EIO, assertThrows(VerbsException.class, () -> channel.awaitEvent(0)).errno());
        channel.close();
        channel.wakeUp();
        assertNull(channel.awaitEvent(Long.MAX_VALUE), "closed");
        context.close();
    }

    @Test
    void shouldFailWhereADeviceThatIsGoneOnlySaysSoToPoll()
    {
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final CompletionChannel channel = context.createCompletionChannel();
        fake.on("ibv_get_cq_event", (a) ->
        {
            fake.errno(Errno.EAGAIN);
            return -1;
        });
        final long writeEnd = fds.range().address() + Integer.BYTES;
        Posix.close(UnsafeApi.getInt(writeEnd));
        UnsafeApi.putInt(writeEnd, -1);
        channel.wakeUp();
        assertNull(channel.awaitEvent(Long.MAX_VALUE), "woken before");
        assertEquals(
            Errno.EIO, assertThrows(VerbsException.class, () -> channel.awaitEvent(Long.MAX_VALUE)).errno());
        fake.raise(AsyncEvent.Type.PORT_ERR.ordinal(), 1);
        fake.hangUp();
        assertEquals(new AsyncEvent(AsyncEvent.Type.PORT_ERR, 1), context.awaitAsyncEvent(Long.MAX_VALUE));
        assertEquals(
            Errno.EIO, assertThrows(VerbsException.class, () -> context.awaitAsyncEvent(Long.MAX_VALUE)).errno());
        channel.close();
        assertNull(channel.awaitEvent(Long.MAX_VALUE), "closed");
        context.close();
    }

    @Test
    void shouldDestroyAQueueWhileItsOwnEventIsTaken() throws Exception
    {
        final IbvContext context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final IbvCompletionQueue queue = (IbvCompletionQueue)context.createCompletionQueue(4, null, 0);
        final CountDownLatch isBeingDestroyed = new CountDownLatch(1);
        final CompletableFuture<Integer> acknowledged = new CompletableFuture<>();
        // libibverbs waits so.
        fake.on("ibv_destroy_cq", (a) ->
        {
            isBeingDestroyed.countDown();
            return acknowledged.completeOnTimeout(Errno.EBUSY, 60, TimeUnit.SECONDS).join();
        });
        fake.on("ibv_ack_async_event", (a) ->
        {
            acknowledged.complete(0);
            return null;
        });
        fake.raise(AsyncEvent.Type.CQ_ERR.ordinal(), queue.handle());
        final FutureTask<Void> closing = new FutureTask<>(queue::close, null);
        final Thread closer = new Thread(closing, "closer");
        closer.start();
        isBeingDestroyed.await();
        assertEquals(
            new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, queue), context.awaitAsyncEvent(TimeUnit.SECONDS.toNanos(60)));
        closing.get();
        closer.join();
        context.close();
    }

    @Test
    void shouldNotPollADestroyedQueueWhoseDestructionMetAPoll() throws InterruptedException
    {
        final AtomicInteger polls = new AtomicInteger();
        final Closure.Handle provider = ClosureManager.getInstance().newClosure(
            (buffer) ->
            {
                polls.incrementAndGet();
                buffer.setIntReturn(0);
            },
            Type.SINT32,
            new Type[] {Type.SINT64, Type.SINT32, Type.SINT64},
            CallingConvention.DEFAULT);
        UnsafeApi.putLong(fake.context() + ContextDescriptor.POLL_CQ_OFFSET, provider.getAddress());
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final CompletionChannel channel = context.createCompletionChannel();
        final IbvCompletionQueue queue = (IbvCompletionQueue)context.createCompletionQueue(4, channel, 0);
        try (NativeArray completions = new NativeArray(64))
        {
            final long address = completions.range().address();
            final Thread closer = new Thread(queue::close, "closer");
            synchronized (queue)
            {
                closer.start();
                while (closer.getState() != Thread.State.BLOCKED)
                {
                    Thread.onSpinWait();
                }
                assertEquals(0, queue.poll(address, 1));
            }
            closer.join();
            assertEquals(-Errno.EINVAL, queue.poll(address, 1));
            assertEquals(Errno.EINVAL, queue.requestNotify(false));
            assertEquals(1, polls.get());
        }
        channel.close();
        context.close();
        provider.dispose();
    }

    @Test
    void shouldPostNothingAfterATransitionFailedAndLeftTheQueuePairElsewhere()
    {
        final Context context = new IbvDevice(FakeLibrary.NAME).open(fake.library());
        final ProtectionDomain domain = context.allocateProtectionDomain();
        final CompletionQueue queue = context.createCompletionQueue(4, null, 0);
        final QueuePair queuePair = domain.createQueuePair(attributes(queue, null));
        final AtomicInteger state = new AtomicInteger(QueuePairState.RTS.ordinal());
        fake.on("ibv_query_qp", (a) ->
        {
            UnsafeApi.putInt((Long)a[1] + QueuePairAttributesDescriptor.QP_STATE_OFFSET, state.get());
            return 0;
        });
        fake.on("ibv_modify_qp", (a) ->
        {
            state.set(QueuePairState.RESET.ordinal());
            return Errno.EIO;
        });
        assertThrows(VerbsException.class, () -> queuePair.modify(
            new QueuePairAttributes().state(QueuePairState.SQD), AttributeMask.STATE));
        try (NativeArray bad = new NativeArray(Long.BYTES); SendRequests requests = new SendRequests(1, 1))
        {
            assertEquals(
                Errno.EINVAL, queuePair.postSend(requests.at(0).address(), bad.range().address()));
        }
        queuePair.close();
        queue.close();
        domain.close();
        context.close();
    }

    /** Makes one of everything; false if nothing failed, since there were not so many calls. */
    private boolean failed(final int failingCall) throws Exception
    {
        final CountedCalls calls = new CountedCalls(fake.library(), failingCall, Errno.ENOMEM);
        try
        {
            final Context context = open(() -> new IbvDevice(FakeLibrary.NAME).open(calls.library()));
            final ProtectionDomain domain = open(context::allocateProtectionDomain);
            final DeviceMemory memory = open(() -> context.allocate(4096));
            open(() -> domain.register(memory.range(), Access.LOCAL_WRITE));
            final CompletionChannel channel = open(context::createCompletionChannel);
            final CompletionQueue queue = open(() -> context.createCompletionQueue(4, channel, 1));
            final SharedReceiveQueue shared = open(() -> domain.createSharedReceiveQueue(4, 1));
            initialise(open(() -> domain.createQueuePair(attributes(queue, null))));
            final QueuePair other = open(() -> domain.createQueuePair(attributes(queue, shared)));
            assertNotNull(other.query());
            assertEquals(QueuePairState.RESET, other.state());
            assertNull(calls.failed());
        }
        catch (final VerbsException ex)
        {
            assertNotNull(calls.failed(), ex.getMessage());
        }
        finally
        {
            while (!opened.isEmpty())
            {
                opened.pop().close();
            }
        }
        assertEquals(Map.of(), calls.open(), "left behind when a call failed: function=" + calls.failed());
        return calls.failed() != null;
    }

    private static QueuePairInitAttributes attributes(final CompletionQueue queue, final SharedReceiveQueue shared)
    {
        return new QueuePairInitAttributes(queue, queue, shared, 4, 4, 1, 1, 0, false, false);
    }

    private static void initialise(final QueuePair queuePair)
    {
        queuePair.modify(
            new QueuePairAttributes().state(QueuePairState.INIT).port(1),
            AttributeMask.STATE | AttributeMask.PKEY_INDEX | AttributeMask.PORT | AttributeMask.ACCESS_FLAGS);
    }

    private int pipe()
    {
        Posix.pipe(fds.range().address());
        return UnsafeApi.getInt(fds.range().address());
    }

    private <T extends AutoCloseable> T open(final Supplier<T> maker)
    {
        final T made = maker.get();
        opened.push(made);
        return made;
    }
}
