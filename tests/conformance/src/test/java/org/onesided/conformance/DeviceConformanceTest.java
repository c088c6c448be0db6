package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;

/**
 * Finding and querying devices, and their memory.
 */
final class DeviceConformanceTest extends Conformance
{
    private static final long LARGE = (4L << 30) + (1 << 16);

    @Test
    void shouldBeFoundByItsName()
    {
        final String name = Devices.find(device).name();
        assertTrue(name.startsWith(device), name);
        final String opened = side(new Setup()).context.device().name();
        // One that listens on any port tells which it has.
        final String anyPort = ":0";
        assertTrue(opened.equals(name) || name.endsWith(anyPort) && !opened.endsWith(anyPort) &&
            opened.startsWith(name.substring(0, name.length() - 1)), opened);
    }

    @Test
    void shouldSayWhichDevicesThereAreWhenThereIsNoSuch()
    {
        for (final String name : new String[] {"nonesuch", device.split(":")[0] + ":nonesuch"})
        {
            final VerbsException refused = assertThrows(VerbsException.class, () -> Devices.find(name).open());
            // No device can have a name without a port, if it is one that listens.
            final boolean canBe = name.contains(":") && !name.startsWith("tcp");
            final int expected = canBe ? Errno.ENODEV : Errno.EINVAL;
            assertEquals(expected, refused.errno(), refused.getMessage());
            assertTrue(refused.getMessage().contains("nonesuch"), refused.getMessage());
            assertTrue(refused.getMessage().contains(device.split(":")[0]), refused.getMessage());
        }
    }

    @Test
    void shouldTellLimitsThatCanBeUsed()
    {
        final DeviceAttributes limits = side(new Setup()).context.queryDevice();
        assertTrue(limits.maxQueuePairs() > 1, limits.toString());
        assertTrue(limits.maxWorkRequests() >= 16, limits.toString());
        assertTrue(limits.maxScatterGather() >= 4, limits.toString());
        assertTrue(limits.maxCompletionQueues() > 1, limits.toString());
        assertTrue(limits.maxCompletions() >= 64, limits.toString());
        assertTrue(limits.maxMemoryRegions() > 1, limits.toString());
        assertTrue(limits.maxMemoryRegionLength() >= 1 << 24, limits.toString());
        assertTrue(limits.maxProtectionDomains() > 1, limits.toString());
        assertTrue(limits.maxReadAtomic() >= 1, limits.toString());
        assertTrue(limits.maxInitiatedReadAtomic() >= 1, limits.toString());
        assertTrue(limits.maxSharedReceiveQueues() >= 1, limits.toString());
        assertTrue(limits.maxSharedReceiveWorkRequests() >= 16, limits.toString());
        assertTrue(limits.portCount() >= 1, limits.toString());
    }

    @Test
    void shouldTellItsPort()
    {
        final Side side = side(new Setup());
        final PortAttributes port = side.context.queryPort(1);
        assertTrue(port.active());
        assertTrue(port.activeMtu() >= 256 && port.activeMtu() <= port.maxMtu(), port.toString());
        assertTrue(port.maxMessageLength() >= 1 << 20, port.toString());
        for (int i = 0; i < port.gidTableLength(); i++)
        {
            assertNotNull(side.context.queryGid(1, i));
        }
        final int ports = side.context.queryDevice().portCount();
        for (final int wrong : new int[] {0, -1, ports + 1})
        {
            assertEquals(
                Errno.EINVAL, assertThrows(VerbsException.class, () -> side.context.queryPort(wrong)).errno());
            assertEquals(
                Errno.EINVAL, assertThrows(VerbsException.class, () -> side.context.queryGid(wrong, 0)).errno());
        }
        for (final int wrong : new int[] {-1, port.gidTableLength()})
        {
            assertEquals(
                Errno.EINVAL, assertThrows(VerbsException.class, () -> side.context.queryGid(1, wrong)).errno());
        }
    }

    @Test
    void shouldDescribeItselfToAPeer()
    {
        final Side side = side(new Setup());
        final Endpoint endpoint = side.endpoint(side.queuePair);
        assertEquals(side.queuePair.number(), endpoint.queuePairNumber());
        assertTrue(endpoint.psn() >= 0 && endpoint.psn() < 1 << 24, endpoint.toString());
        assertTrue(endpoint.lid() != 0 || endpoint.gid() != null, endpoint.toString());
        assertTrue(endpoint.deviceBytes().length <= 64, endpoint.toString());
    }

    @Test
    void shouldHaveNoAsynchronousEventInHealth()
    {
        final Pair pair = pair();
        pair.a.write(1, 0, 8, pair.b, 0);
        pair.sent(pair.a, 1);
        assertNull(pair.a.context.awaitAsyncEvent(0));
        assertNull(pair.b.context.awaitAsyncEvent(10_000_000));
    }

    @Test
    void shouldWakeWhoWaitsForAnAsynchronousEvent() throws Exception
    {
        final Side side = side(new Setup());
        final CompletableFuture<AsyncEvent> event =
            CompletableFuture.supplyAsync(() -> side.context.awaitAsyncEvent(Long.MAX_VALUE));
        side.context.wakeUpAsyncWaiter();
        assertNull(event.get(HangGuard.nanos(20), TimeUnit.NANOSECONDS));
    }

    @Test
    void shouldRefuseQueuePairsOutOfRange()
    {
        final Side side = side(new Setup());
        final DeviceAttributes limits = side.context.queryDevice();
        final QueuePairInitAttributes a = side.initAttributes();
        refuse(side, (x) -> with(x, limits.maxWorkRequests() + 1, 4, 1, 1, 0));
        refuse(side, (x) -> with(x, 4, limits.maxWorkRequests() + 1, 1, 1, 0));
        refuse(side, (x) -> with(x, 4, 4, limits.maxScatterGather() + 1, 1, 0));
        refuse(side, (x) -> with(x, 4, 4, 1, limits.maxScatterGather() + 1, 0));
        refuse(side, (x) -> with(x, 4, 4, 1, 1, 1 << 30));
        refuse(side, (x) -> with(x, -1, 4, 1, 1, 0));
        refuse(side, (x) -> with(x, 4, -1, 1, 1, 0));
        refuse(side, (x) -> with(x, 4, 4, -1, 1, 0));
        refuse(side, (x) -> with(x, 4, 4, 1, -1, 0));
        refuse(side, (x) -> with(x, 4, 4, 1, 1, -1));
        refuse(side, (x) -> new QueuePairInitAttributes(null, a.receiveQueue(), null, 4, 4, 1, 1, 0, false, false));
        refuse(side, (x) -> new QueuePairInitAttributes(a.sendQueue(), null, null, 4, 4, 1, 1, 0, false, false));
    }

    @Test
    void shouldRefuseObjectsOfAnotherContext()
    {
        final Pair pair = unconnected(new Setup(), new Setup());
        final QueuePairInitAttributes ofB = pair.b.initAttributes();
        refuse(pair.a, (x) -> new QueuePairInitAttributes(
            ofB.sendQueue(), x.receiveQueue(), null, 4, 4, 1, 1, 0, false, false));
        refuse(pair.a, (x) -> new QueuePairInitAttributes(
            x.sendQueue(), ofB.receiveQueue(), null, 4, 4, 1, 1, 0, false, false));
        assertEquals(Errno.EINVAL, assertThrows(
            VerbsException.class, () -> pair.a.context.createCompletionQueue(4, pair.b.channel, 0)).errno());
    }

    @Test
    void shouldReserveMemoryForOneProcess()
    {
        final Side side = side(new Setup());
        for (final HugePages hugePages : new HugePages[] {HugePages.OFF, HugePages.AUTO})
        {
            for (final long length : new long[] {1, 4097, 3 << 20, 64L << 30})
            {
                try (DeviceMemory memory = side.context.reserve(length, hugePages))
                {
                    assertEquals(length, memory.range().length());
                    assertEquals(0, memory.range().address() & 4095);
                    for (long offset = length - 1; offset >= Math.max(0, length - 10_000); offset--)
                    {
                        assertEquals(0, UnsafeApi.getByte(memory.range().addressOf(offset, 1)));
                        UnsafeApi.putByte(memory.range().addressOf(offset, 1), (byte)1);
                    }
                    assertTrue(hugePages != HugePages.OFF || !memory.hugePages());
                    assertEquals(
                        Errno.EBUSY, assertThrows(VerbsException.class, () -> side.context.close()).errno());
                }
            }
            assertEquals(Errno.EINVAL, assertThrows(
                VerbsException.class, () -> side.context.reserve(0, hugePages)).errno());
        }
    }

    @Test
    void shouldAllocateZeroedPages() throws Exception
    {
        final Side side = side(new Setup());
        for (final long length : new long[] {1, 4095, 4096, 4097, 1 << 20})
        {
            try (DeviceMemory memory = side.context.allocate(length))
            {
                assertEquals(length, memory.range().length());
                assertEquals(0, memory.range().address() & 4095);
                for (long i = 0; i < length; i++)
                {
                    assertEquals(0, UnsafeApi.getByte(memory.range().address() + i));
                }
                UnsafeApi.setMemory(null, memory.range().address(), length, (byte)1);
            }
        }
    }

    @Test
    void shouldRefuseMemoryThatCannotBeHad()
    {
        final Side side = side(new Setup());
        for (final long length : new long[] {0, -1, 1L << 60})
        {
            final VerbsException refused = assertThrows(
                VerbsException.class, () -> side.context.allocate(length), "length=" + length);
            assertTrue(
                refused.errno() == Errno.EINVAL || refused.errno() == Errno.ENOMEM || refused.errno() == Errno.ENOSPC,
                refused.getMessage());
            assertTrue(!refused.getMessage().contains("\n"), refused.getMessage());
        }
    }

    @Tag("full")
    @Test
    void shouldAddressMoreThanFourGibibytes()
    {
        final Pair pair;
        try
        {
            pair = pair(new Setup(), new Setup().memory(LARGE));
        }
        catch (final VerbsException ex)
        {
            assumeTrue(
                ex.errno() != Errno.ENOSPC && ex.errno() != Errno.ENOMEM, "no room for 4 GiB: " + ex.getMessage());
            throw ex;
        }
        int id = 1;
        for (final long offset : new long[] {
            (2L << 30) - 4, 2L << 30, (3L << 30) + 40, (4L << 30) - 4, 4L << 30, LARGE - 8})
        {
            final long value = 0x5000_0000_0000_0000L + offset;
            pair.a.word(0, value);
            pair.a.write(id++, 0, 8, pair.b, offset);
            pair.sent(pair.a, id - 1);
            assertEquals(value, UnsafeApi.getLong(pair.b.address(offset)));
            pair.a.read(id++, 64, 8, pair.b, offset);
            pair.sent(pair.a, id - 1);
            assertEquals(value, pair.a.word(64));
        }
        pair.b.expectZero(0, 64);
        pair.a.read(id, 64, 8, pair.b, LARGE - 7);
        pair.sent(pair.a, id, CompletionStatus.REM_ACCESS_ERR);
    }

    private static void refuse(final Side side, final UnaryOperator<QueuePairInitAttributes> change)
    {
        final VerbsException refused = assertThrows(
            VerbsException.class, () -> side.domain.createQueuePair(change.apply(side.initAttributes())));
        assertEquals(Errno.EINVAL, refused.errno(), refused.getMessage());
    }

    private static QueuePairInitAttributes with(
        final QueuePairInitAttributes a,
        final int sends,
        final int receives,
        final int sendElements,
        final int receiveElements,
        final int inline)
    {
        return new QueuePairInitAttributes(
            a.sendQueue(),
            a.receiveQueue(),
            null,
            sends,
            receives,
            sendElements,
            receiveElements,
            inline,
            false,
            false);
    }
}
