package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class DeviceWatchTest
{
    private static final String THREAD = "test-device-events";

    private final FakeContext fake = new FakeContext("ibv:fake0");
    private final OpenDevice device = OpenDevice.open(fake.device(), ConnectionOptions.defaults(0), "test");
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final AtomicReference<CompletionQueue> brokenQueue = new AtomicReference<>();
    private final List<AsyncEvent.Type> events = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final DeviceWatch.Listener listener = new DeviceWatch.Listener()
    {
        @Override
        public void onEvent(final AsyncEvent event)
        {
            events.add(event.type());
        }

        @Override
        public void onError(final AsyncEvent event, final Throwable error)
        {
            errors.add((event == null ? "no event" : event.type()) + " " + error.getMessage());
        }

        @Override
        public void onQueuePairFailed(final int number, final String reason)
        {
            heard.add("qp " + number + " " + reason);
            throw new IllegalStateException("listener stumbles");
        }

        @Override
        public void onCompletionQueueFailed(final CompletionQueue queue, final String reason)
        {
            brokenQueue.set(queue);
            heard.add("cq " + reason);
        }

        @Override
        public void onPortDown(final int port, final String reason)
        {
            heard.add("port " + port + " " + reason);
        }

        @Override
        public void onDeviceFailed(final String reason)
        {
            heard.add("device " + reason);
        }
    };

    @Test
    void shouldTellWhomAnEventConcernsAndGoOnAfterAListenerThatThrows() throws InterruptedException
    {
        final CompletionQueue queue = (CompletionQueue)Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[]{CompletionQueue.class}, (proxy, method, arguments) -> null);
        try (DeviceWatch watch = start())
        {
            for (final AsyncEvent.Type type : new AsyncEvent.Type[]{
                AsyncEvent.Type.QP_FATAL, AsyncEvent.Type.QP_ACCESS_ERR, AsyncEvent.Type.QP_REQ_ERR})
            {
                assertHeard(new AsyncEvent(type, 17), "qp 17 ", "event=" + type, "qp_num=17", "ibv:fake0");
            }
            assertHeard(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, queue), "cq ", "CQ_ERR");
            assertSame(queue, brokenQueue.get());
            fake.events.add(new AsyncEvent(AsyncEvent.Type.COMM_EST, 17));
            assertHeard(new AsyncEvent(AsyncEvent.Type.PORT_ERR, 1), "port 1 ", "port down: port=1");
            assertHeard(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0), "device ", "DEVICE_FATAL");
            assertNotNull(device.failure());
            assertNotNull(watch);
        }
        assertFalse(isRunning());
        assertEquals(
            List.of("QP_FATAL listener stumbles", "QP_ACCESS_ERR listener stumbles", "QP_REQ_ERR listener stumbles"),
            errors);
        assertEquals(List.of(
            AsyncEvent.Type.QP_FATAL, AsyncEvent.Type.QP_ACCESS_ERR, AsyncEvent.Type.QP_REQ_ERR,
            AsyncEvent.Type.CQ_ERR, AsyncEvent.Type.COMM_EST, AsyncEvent.Type.PORT_ERR,
            AsyncEvent.Type.DEVICE_FATAL), events.subList(0, 7));
    }

    @Test
    void shouldLookForThePathAgainWhenPortOrGidsChanged() throws InterruptedException
    {
        final ConnectionOptions path = device.path();
        try (DeviceWatch watch = start())
        {
            fake.gids.set(0, FakeContext.gid(5, 0x0A00_0002));
            assertSame(path, device.path());
            fake.events.add(new AsyncEvent(AsyncEvent.Type.GID_CHANGE, 1));
            while (device.path().gidIndex() != 5)
            {
                Thread.onSpinWait();
            }
            assertTrue(heard.isEmpty());
            assertNotNull(watch);
        }
    }

    @Test
    void shouldTakeTheDeviceForFailedWhenItTellsNothingMore() throws InterruptedException
    {
        try (DeviceWatch watch = start())
        {
            fake.failure = new VerbsException("get_async_event", Errno.EIO, "gone");
            assertHeard(new AsyncEvent(AsyncEvent.Type.COMM_EST, 1), "device ", "gone");
            assertNotNull(watch);
        }
    }

    @Test
    void shouldGoOnWhenWaitingFailsForWantOfMemory() throws InterruptedException
    {
        try (DeviceWatch watch = start())
        {
            for (final Throwable failure : List.of(
                new VerbsException("poll", Errno.ENOMEM, "want"), new OutOfMemoryError("want of memory")))
            {
                fake.failure = failure;
                fake.events.add(new AsyncEvent(AsyncEvent.Type.COMM_EST, 1));
                while (errors.isEmpty() || !errors.get(errors.size() - 1).contains(failure.getMessage()))
                {
                    Thread.onSpinWait();
                }
                fake.failure = null;
                assertHeard(new AsyncEvent(AsyncEvent.Type.PORT_ERR, 1), "port 1 ");
            }
            assertEquals(2, errors.size());
            assertTrue(errors.get(0).startsWith("no event "), errors.get(0));
            assertNull(device.failure());
            assertNotNull(watch);
        }
        assertFalse(isRunning());
    }

    @Test
    void shouldStartNoThreadForADeviceOfSoftware()
    {
        try (OpenDevice software = OpenDevice.open(Devices.find("shm"), ConnectionOptions.defaults(0), "test");
            DeviceWatch watch = DeviceWatch.start(software, THREAD, listener))
        {
            assertFalse(isRunning());
            assertNotNull(watch);
        }
    }

    private DeviceWatch start()
    {
        final DeviceWatch watch = DeviceWatch.start(device, THREAD, listener);
        assertTrue(isRunning());
        return watch;
    }

    private void assertHeard(final AsyncEvent event, final String... parts) throws InterruptedException
    {
        fake.events.add(event);
        final String text = heard.poll(30, TimeUnit.SECONDS);
        assertNotNull(text, "nothing heard of " + event);
        assertTrue(text.startsWith(parts[0]), text);
        for (final String part : parts)
        {
            assertTrue(text.contains(part), text);
        }
        assertEquals(0, heard.size());
    }

    private static boolean isRunning()
    {
        return Thread.getAllStackTraces().keySet().stream().anyMatch((thread) -> THREAD.equals(thread.getName()));
    }
}
