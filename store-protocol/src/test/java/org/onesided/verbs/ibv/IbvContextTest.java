package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GidType;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.PortState;
import org.onesided.verbs.VerbsException;

class IbvContextTest
{
    private static final long LONG_NS = 60_000_000_000L;
    private static final IbvDevice DEVICE = new IbvDevice(FakeLibrary.NAME);

    private final FakeLibrary fake = new FakeLibrary();

    @AfterEach
    void end()
    {
        fake.close();
    }

    @Test
    void shouldOpenAndCloseOnce()
    {
        final IbvContext context = open();
        assertEquals(fake.context(), context.nativeContext().handle());
        assertEquals("ibv:test0", context.device().name());
        assertEquals(2, context.queryDevice().completionVectors());
        assertEquals(2, context.queryDevice().portCount());
        assertEquals(DeviceAttributesDescriptor.MAX_CQE_OFFSET, context.queryDevice().maxCompletions());
        assertEquals(1, fake.calls("ibv_free_device_list"));
        context.close();
        context.close();
        assertEquals(1, fake.calls("ibv_close_device"));
    }

    @Test
    void shouldTellThatDevicesCannotBeListed()
    {
        fake.on("ibv_get_device_list", (arguments) -> 0L);
        fake.errno(Errno.ENOMEM);
        assertEquals(Errno.ENOMEM, assertThrows(VerbsException.class, this::open).errno());
        assertEquals(0, fake.calls("ibv_free_device_list"));
    }

    @Test
    void shouldFreeTheListWhenTheDeviceCannotBeOpened()
    {
        fake.on("ibv_open_device", (arguments) -> 0L);
        fake.errno(Errno.ENOMEM);
        // Its device file is not there, and that is what a person must know first.
        assertEquals(Errno.ENODEV, assertThrows(VerbsException.class, this::open).errno());
        assertEquals(1, fake.calls("ibv_free_device_list"));
        assertEquals(0, fake.calls("ibv_close_device"));
    }

    @Test
    void shouldCloseTheDeviceWhenItsLayoutIsUnknown()
    {
        UnsafeApi.putLong(fake.context() + ContextDescriptor.POST_SEND_OFFSET, 0);
        assertClosedAgain(Errno.EOPNOTSUPP);
    }

    @Test
    void shouldCloseTheDeviceWhenItCannotBeQueried()
    {
        fake.on("ibv_query_device", (arguments) -> Errno.EIO);
        assertClosedAgain(Errno.EIO);
    }

    @Test
    void shouldCloseTheDeviceWhenItsAttributesCannotBe()
    {
        fake.on("ibv_query_device", (arguments) -> 0);
        assertClosedAgain(Errno.EOPNOTSUPP);
    }

    @Test
    void shouldRefuseADeviceThatIsNotListed()
    {
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> new IbvDevice("mlx5_9").open(fake.library()));
        assertEquals(Errno.ENODEV, refused.errno());
        assertTrue(refused.getMessage().contains("there_are=[test0]"), refused.getMessage());
        assertEquals(1, fake.calls("ibv_free_device_list"));
    }

    @Test
    void shouldRefuseIwarp()
    {
        UnsafeApi.putInt(fake.device() + DeviceDescriptor.NODE_TYPE_OFFSET, DeviceDescriptor.NODE_RNIC);
        UnsafeApi.putInt(fake.device() + DeviceDescriptor.TRANSPORT_TYPE_OFFSET, DeviceDescriptor.TRANSPORT_IWARP);
        final VerbsException refused = assertThrows(VerbsException.class, this::open);
        assertEquals(Errno.EOPNOTSUPP, refused.errno());
        assertTrue(refused.getMessage().contains("rdma_cm"), refused.getMessage());
        assertEquals(0, fake.calls("ibv_open_device"));
    }

    @Test
    void shouldNotCloseWhatIsInUse()
    {
        final IbvContext context = open();
        context.nativeContext().uses().acquire();
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, context::close).errno());
        assertEquals(0, fake.calls("ibv_close_device"));
        context.nativeContext().uses().release();
        context.close();
    }

    @Test
    void shouldQueryPorts()
    {
        fake.on("ibv_query_port", (arguments) ->
        {
            final long address = (Long)arguments[2];
            UnsafeApi.putInt(address + PortAttributesDescriptor.STATE_OFFSET, PortState.ARMED.ordinal());
            UnsafeApi.putInt(address + PortAttributesDescriptor.GID_TBL_LEN_OFFSET, (Integer)arguments[1]);
            return 0;
        });
        try (IbvContext context = open())
        {
            assertEquals(PortState.ARMED, context.queryPort(2).state());
            assertEquals(2, context.queryPort(2).gidTableLength());
            for (final int port : new int[]{ -1, 0, 3, 257, 258 })
            {
                assertEquals(
                    Errno.EINVAL, assertThrows(VerbsException.class, () -> context.queryPort(port)).errno());
            }
            fake.on("ibv_query_port", (arguments) -> Errno.EIO);
            assertEquals(Errno.EIO, assertThrows(VerbsException.class, () -> context.queryPort(1)).errno());
        }
    }

    @Test
    void shouldPassHighPortNumbersAsTheyAre()
    {
        fake.portCount(200);
        fake.on("ibv_query_port", (arguments) ->
        {
            assertEquals(200, arguments[1]);
            return 0;
        });
        try (IbvContext context = open())
        {
            context.queryPort(200);
            assertEquals(1, fake.calls("ibv_query_port"));
        }
    }

    @Test
    void shouldListGidsOfTheRightPortByIndex()
    {
        ports(3);
        fake.on("_ibv_query_gid_table", (arguments) ->
        {
            assertEquals(6L, arguments[2]);
            assertEquals((long)GidEntryDescriptor.LENGTH, arguments[4]);
            long entry = (Long)arguments[1];
            entry = gid(entry, 2, 1, GidEntryDescriptor.GID_TYPE_ROCE_V2, 1);
            entry = gid(entry, 1, 2, GidEntryDescriptor.GID_TYPE_ROCE_V2, 2);
            entry = gid(entry, 0, 1, GidEntryDescriptor.GID_TYPE_ROCE_V1, 3);
            gid(entry, 1, 1, GidEntryDescriptor.GID_TYPE_IB, 0);
            return 4L;
        });
        try (IbvContext context = open())
        {
            // The one of all zeros is not in use.
            assertEquals(
                List.of(
                    new GidEntry(0, new Gid(0, 3), GidType.ROCE_V1, "", true),
                    new GidEntry(2, new Gid(0, 1), GidType.ROCE_V2, "", true)),
                context.queryGidTable(1));
        }
    }

    @Test
    void shouldTellThatTheGidTableCannotBeRead()
    {
        ports(3);
        fake.on("_ibv_query_gid_table", (arguments) -> (long)-Errno.EINVAL);
        try (IbvContext context = open())
        {
            assertEquals(
                Errno.EINVAL, assertThrows(VerbsException.class, () -> context.queryGidTable(1)).errno());
        }
    }

    @Test
    void shouldReadGidsOneByOneWhereTheLibraryIsOld()
    {
        ports(3);
        fake.on("ibv_query_gid", (arguments) ->
        {
            final int index = (Integer)arguments[2];
            UnsafeApi.putLong((Long)arguments[3], 0);
            UnsafeApi.putLong((Long)arguments[3] + Long.BYTES, index == 1 ? 0 : Long.reverseBytes(index + 7));
            return index == 2 ? -1 : 0;
        });
        try (IbvContext context = open())
        {
            // The kernel does not know this device, so its port's link layer, unspecified, decides the type.
            assertEquals(
                List.of(new GidEntry(0, new Gid(0, 7), GidType.IB, "", true)), context.queryGidTable(1));
            assertEquals(new Gid(0, 7), context.queryGid(1, 0));
            assertThrows(VerbsException.class, () -> context.queryGid(1, 2));
            for (final int index : new int[]{ -1, 3 })
            {
                assertEquals(
                    Errno.EINVAL, assertThrows(VerbsException.class, () -> context.queryGid(1, index)).errno());
            }
        }
    }

    @Test
    void shouldTellEventsOfPortsAndQueuePairs()
    {
        try (IbvContext context = open(); NativeArray queuePair = new NativeArray(128))
        {
            assertNull(context.awaitAsyncEvent(0));
            UnsafeApi.putInt(queuePair.range().address() + QueuePairDescriptor.QP_NUM_OFFSET, 0x1234);
            fake.raise(AsyncEvent.Type.PORT_ERR.ordinal(), 2);
            fake.raise(AsyncEvent.Type.QP_FATAL.ordinal(), queuePair.range().address());
            fake.raise(1000, 0);
            fake.raise(AsyncEvent.Type.DEVICE_FATAL.ordinal(), 0);
            fake.raise(AsyncEvent.Type.CQ_ERR.ordinal(), 4096);
            assertEquals(new AsyncEvent(AsyncEvent.Type.PORT_ERR, 2), context.awaitAsyncEvent(0));
            assertEquals(new AsyncEvent(AsyncEvent.Type.QP_FATAL, 0x1234), context.awaitAsyncEvent(LONG_NS));
            // The one that has no name here is passed over.
            assertEquals(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0), context.awaitAsyncEvent(LONG_NS));
            // Nothing is known of this completion queue.
            assertEquals(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0), context.awaitAsyncEvent(LONG_NS));
            assertNull(context.awaitAsyncEvent(1));
            assertEquals(5, fake.calls("ibv_ack_async_event"));
        }
    }

    @Test
    void shouldWakeUpAWaiter()
    {
        try (IbvContext context = open())
        {
            context.wakeUpAsyncWaiter();
            assertNull(context.awaitAsyncEvent(LONG_NS));
            fake.raise(AsyncEvent.Type.PORT_ACTIVE.ordinal(), 1);
            assertEquals(new AsyncEvent(AsyncEvent.Type.PORT_ACTIVE, 1), context.awaitAsyncEvent(LONG_NS));
        }
    }

    @Test
    void shouldNotCloseTheDeviceUnderAWaiter() throws Exception
    {
        final IbvContext context = open();
        final CountDownLatch begun = new CountDownLatch(2);
        final Runnable await = () ->
        {
            begun.countDown();
            context.awaitAsyncEvent(LONG_NS);
        };
        final Thread first = new Thread(await, "first-waiter");
        final Thread second = new Thread(await, "second-waiter");
        first.start();
        second.start();
        begun.await();
        context.close();
        first.join();
        second.join();
        assertEquals(1, fake.calls("ibv_close_device"));
        assertNull(context.awaitAsyncEvent(LONG_NS));
        context.wakeUpAsyncWaiter();
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> context.queryPort(1)).errno());
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, context::createCompletionChannel).errno());
    }

    private IbvContext open()
    {
        return DEVICE.open(fake.library());
    }

    private void assertClosedAgain(final int errno)
    {
        assertEquals(errno, assertThrows(VerbsException.class, this::open).errno());
        assertEquals(1, fake.calls("ibv_open_device"));
        assertEquals(1, fake.calls("ibv_close_device"));
        assertEquals(1, fake.calls("ibv_free_device_list"));
    }

    private void ports(final int places)
    {
        fake.on("ibv_query_port", (arguments) ->
        {
            UnsafeApi.putInt((Long)arguments[2] + PortAttributesDescriptor.GID_TBL_LEN_OFFSET, places);
            return 0;
        });
    }

    private static long gid(final long entry, final int index, final int port, final int type, final int low)
    {
        UnsafeApi.putLong(entry + GidEntryDescriptor.GID_OFFSET, 0);
        UnsafeApi.putLong(entry + GidEntryDescriptor.GID_OFFSET + Long.BYTES, Long.reverseBytes(low));
        UnsafeApi.putInt(entry + GidEntryDescriptor.GID_INDEX_OFFSET, index);
        UnsafeApi.putInt(entry + GidEntryDescriptor.PORT_NUM_OFFSET, port);
        UnsafeApi.putInt(entry + GidEntryDescriptor.GID_TYPE_OFFSET, type);
        return entry + GidEntryDescriptor.LENGTH;
    }
}
