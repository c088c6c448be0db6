package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairType;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;

/**
 * What the conformance suite does not ask of the resources of a real device.
 */
@Tag("rdma")
final class ResourcesRdmaTest
{
    private static final int POLLS = 1_000_000;
    private static final long SHORT_NS = 50_000_000;

    private RdmaPair pair;

    @BeforeEach
    void open()
    {
        pair = new RdmaPair(IbvLibrary.load());
    }

    @AfterEach
    void close()
    {
        pair.close();
    }

    @Test
    void shouldPollWithoutAllocating()
    {
        poll(POLLS / 10);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();
        poll(POLLS);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < POLLS / 100, "polling allocates: bytes=" + allocated + " polls=" + POLLS);
    }

    @Test
    void shouldPostWithoutAllocating()
    {
        pair.connect();
        read(1000);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();
        read(10_000);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 10_000, "posting allocates: bytes=" + allocated);
    }

    @Test
    void shouldRefuseToPostToWhatIsClosed()
    {
        pair.connect();
        pair.read();
        final QueuePair queuePair = pair.a.queuePair;
        pair.closeNow(queuePair);
        pair.a.sends.at(0).begin(1, Opcode.SEND, SendFlags.SIGNALED);
        assertEquals(Errno.EINVAL, pair.a.sends.post(queuePair, 1));
        assertEquals(0, pair.a.sends.firstRefused());
        final CompletionQueue queue = pair.a.queue;
        pair.closeNow(queue);
        assertTrue(pair.a.completions.poll(queue) < 0);
        assertEquals(Errno.EINVAL, queue.requestNotify(false));
        queue.acknowledgeEvents(1);
        pair.closeNow(pair.b.queuePair);
        pair.closeNow(pair.b.sharedReceives);
        try (ReceiveRequests receives = new ReceiveRequests(1, 1))
        {
            receives.at(0).begin(1);
            assertEquals(Errno.EINVAL, receives.post(queuePair, 1));
            assertEquals(Errno.EINVAL, receives.post(pair.b.sharedReceives, 1));
            assertEquals(0, receives.firstRefused());
        }
        assertThrows(VerbsException.class, () -> ReliableConnection.fail(queuePair));
    }

    @Test
    void shouldDropCompletionsOfClosedQueuePairsAndKeepTheOthers()
    {
        final int rounds = 5;
        pair.connect();
        final CompletionQueue queue = pair.a.queue;
        for (int round = 0; round < rounds; round++)
        {
            final QueuePair kept = pair.a.newQueuePair();
            final QueuePair closed = pair.a.newQueuePair();
            flush(closed, 10, 4);
            flush(kept, 20, 3);
            closed.close();
            // In batches that are full of what is dropped, and never says that the queue is empty when it is not.
            try (WorkCompletions completions = new WorkCompletions(2))
            {
                int next = 20;
                while (next < 23)
                {
                    final int count = completions.poll(queue);
                    assertTrue(count > 0, "not all came: next=" + next);
                    for (int i = 0; i < count; i++)
                    {
                        assertEquals(next++, completions.id(i));
                        assertEquals(kept.number(), completions.queuePair(i));
                    }
                }
                assertEquals(0, completions.poll(queue));
            }
            kept.close();
        }
    }

    @Test
    void shouldBeAcknowledgedInBatchesAndNeverTooOften()
    {
        pair.connect();
        for (int i = 0; i < 3; i++)
        {
            assertEquals(0, pair.a.queue.requestNotify(false));
            pair.read();
            assertSame(pair.a.queue, pair.a.channel.awaitEvent(SHORT_NS * 100));
        }
        assertNull(pair.a.channel.awaitEvent(SHORT_NS));
        pair.closeNow(pair.a.queuePair);
        pair.a.queue.acknowledgeEvents(1);
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, pair.a.queue::close).errno());
        // More than there are: libibverbs would wait for ever for the difference.
        pair.a.queue.acknowledgeEvents(1000);
        pair.closeNow(pair.a.queue);
    }

    @Test
    void shouldRegisterWithEveryFlagThatTheDeviceKnows()
    {
        final int all = Access.LOCAL_WRITE | Access.REMOTE_ANY;
        pair.connect();
        for (final int access : new int[] {all | Access.RELAXED_ORDERING, all | Access.MW_BIND, all | Access.HUGETLB})
        {
            MemoryRegion region = null;
            try
            {
                region = pair.b.domain.register(pair.b.memory.range(), access);
            }
            catch (final VerbsException ex)
            {
                assertTrue(ex.errno() == Errno.EINVAL || ex.errno() == Errno.EOPNOTSUPP, ex.getMessage());
                assertNotEquals(all | Access.RELAXED_ORDERING, access, "optional: " + ex.getMessage());
            }
            if (region != null)
            {
                assertEquals(access, region.access());
                pair.read(1, pair.b.memory.range().address(), region.remoteKey());
                pair.complete(1, CompletionStatus.SUCCESS);
                region.close();
            }
        }
    }

    @Test
    void shouldAddressAZeroBasedRegionFromZero()
    {
        pair.connect();
        final int access = Access.LOCAL_WRITE | Access.REMOTE_ANY | Access.ZERO_BASED;
        final MemoryRange range = pair.b.memory.range();
        UnsafeApi.putLong(range.address() + 4096 + 16, 8154);
        try (MemoryRegion region = pair.b.domain.register(range.slice(4096, 4096), access))
        {
            pair.read(1, 16, region.remoteKey());
            pair.complete(1, CompletionStatus.SUCCESS);
            assertEquals(8154, UnsafeApi.getLong(pair.a.memory.range().address()));
        }
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> pair.b.domain.register(range.slice(8, 4096), access));
        assertEquals(Errno.EINVAL, refused.errno(), refused.getMessage());
    }

    @Test
    void shouldServeMemoryFromElsewhere()
    {
        pair.connect();
        try (NativeArray memory = new NativeArray(64);
            MemoryRegion region = pair.b.domain.register(memory.range(), Access.REMOTE_READ))
        {
            UnsafeApi.putLong(memory.range().address(), 1848);
            pair.read(1, memory.range().address(), region.remoteKey());
            pair.complete(1, CompletionStatus.SUCCESS);
            assertEquals(1848, UnsafeApi.getLong(pair.a.memory.range().address()));
        }
    }

    @Test
    void shouldNotFreeMemoryUnderARegionThatReachesIntoIt()
    {
        try (DeviceMemory memory = pair.a.context.allocate(16384))
        {
            for (final MemoryRange part : new MemoryRange[] {
                memory.range(), memory.range().slice(4095, 1), memory.range().slice(16383, 1)})
            {
                try (MemoryRegion region = pair.a.domain.register(part, 0))
                {
                    assertEquals(part, region.range());
                    assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, memory::close).errno());
                }
            }
        }
    }

    @Test
    void shouldRefuseOtherTransportsByName()
    {
        for (final QueuePairType type : new QueuePairType[] {QueuePairType.UC, QueuePairType.UD})
        {
            final VerbsException refused = assertThrows(VerbsException.class, () -> pair.a.domain.createQueuePair(
                new QueuePairInitAttributes(
                    type, pair.a.queue, pair.a.queue, null, 4, 4, 1, 1, 0, false, false)));
            assertEquals(Errno.EOPNOTSUPP, refused.errno());
            assertTrue(refused.getMessage().contains(type.name()), refused.getMessage());
        }
    }

    @Test
    void shouldUseHugePagesOnceThereAreSome() throws Exception
    {
        final Path pages = Path.of("/proc/sys/vm/nr_hugepages");
        final Path transparent = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        final String before = Files.readString(transparent).replaceAll(".*\\[|\\].*\n", "");
        Files.writeString(transparent, "never");
        try
        {
            final VerbsException refused = assertThrows(
                VerbsException.class, () -> pair.a.context.allocate(3 << 20, HugePages.ON));
            assertEquals(Errno.ENOMEM, refused.errno());
            assertTrue(refused.getMessage().contains("vm.nr_hugepages=2"), refused.getMessage());
            Files.writeString(pages, "2");
            useHugePages();
        }
        finally
        {
            Files.writeString(pages, "0");
            Files.writeString(transparent, before);
        }
    }

    private void useHugePages()
    {
        try (DeviceMemory memory = pair.a.context.allocate(3 << 20, HugePages.ON);
            MemoryRegion region = pair.a.domain.register(memory.range(), Access.LOCAL_WRITE))
        {
            assertTrue(memory.hugePages());
            assertEquals(3 << 20, region.range().length());
            UnsafeApi.putByte(memory.range().addressOf((3 << 20) - 1, 1), (byte)1);
            try (DeviceMemory other = pair.a.context.allocate(3 << 20, HugePages.AUTO))
            {
                assertTrue(!other.hugePages());
            }
        }
    }

    private void poll(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (pair.a.completions.poll(pair.a.queue) != 0)
            {
                throw new AssertionError("a completion from nowhere");
            }
        }
    }

    private void read(final int count)
    {
        final long remoteAddress = pair.b.memory.range().address();
        final int remoteKey = pair.b.region.remoteKey();
        for (int i = 0; i < count; i++)
        {
            pair.read(i, remoteAddress, remoteKey);
            int completed = pair.a.completions.poll(pair.a.queue);
            while (completed == 0)
            {
                completed = pair.a.completions.poll(pair.a.queue);
            }
            if (pair.a.completions.status(0) != CompletionStatus.SUCCESS)
            {
                throw new AssertionError(pair.a.completions.describe(0));
            }
        }
    }

    /**
     * Posts receives, and lets them complete by moving the queue pair to ERR.
     */
    private void flush(final QueuePair queuePair, final long firstId, final int count)
    {
        ReliableConnection.initialise(queuePair, pair.a.options);
        try (ReceiveRequests receives = new ReceiveRequests(count, 1))
        {
            for (int i = 0; i < count; i++)
            {
                receives.at(i).begin(firstId + i)
                    .element(pair.a.memory.range().address(), 8, pair.a.region.localKey());
            }
            assertEquals(0, receives.post(queuePair, count));
        }
        ReliableConnection.fail(queuePair);
        awaitFlush();
    }

    /** The kernel flushes in its own time. */
    private static void awaitFlush()
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < SHORT_NS)
        {
            Thread.onSpinWait();
        }
    }
}
