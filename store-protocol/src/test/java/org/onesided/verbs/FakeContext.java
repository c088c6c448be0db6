package org.onesided.verbs;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A context of one Ethernet port that tests change as they like.
 */
final class FakeContext
{
    private static final AsyncEvent WAKE_UP = new AsyncEvent(AsyncEvent.Type.COMM_EST, -1);

    final List<GidEntry> gids = new ArrayList<>();
    final BlockingQueue<AsyncEvent> events = new LinkedBlockingQueue<>();
    volatile PortState port = PortState.ACTIVE;
    volatile boolean isClosed;
    /** What waiting for events throws instead, or null. */
    volatile Throwable failure;
    private final String name;

    FakeContext(final String name)
    {
        this.name = name;
        gids.add(gid(1, 0x0A00_0001));
    }

    /** A RoCE v2 GID of an IPv4 address. */
    static GidEntry gid(final int index, final int address)
    {
        return new GidEntry(index, new Gid(0, 0xFFFF_0000_0000L | address), GidType.ROCE_V2, "eth0", true);
    }

    Device device()
    {
        return new Device()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public Context open()
            {
                return context();
            }
        };
    }

    Context context()
    {
        return (Context)Proxy.newProxyInstance(
            Context.class.getClassLoader(), new Class<?>[]{Context.class}, (proxy, method, arguments) ->
                switch (method.getName())
                {
                    case "device" -> device();
                    case "queryDevice" -> new DeviceAttributes(
                        DeviceIdentity.SOFTWARE, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, false, 1);
                    case "queryPort" ->
                        new PortAttributes(port, PortAttributes.ETHERNET, 4096, 1024, 1 << 23, 0, 16, 1, 1000);
                    case "queryGidTable" -> List.copyOf(gids);
                    case "queryGid" -> gids.stream()
                        .filter((entry) -> entry.index() == (int)arguments[1])
                        .findFirst().orElseThrow().gid();
                    case "hasHardwareEvents" -> true;
                    case "wakeUpAsyncWaiter" ->
                    {
                        events.add(WAKE_UP);
                        yield null;
                    }
                    case "awaitAsyncEvent" -> await((long)arguments[0]);
                    case "close" ->
                    {
                        isClosed = true;
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private AsyncEvent await(final long timeoutNs) throws Throwable
    {
        final AsyncEvent event = events.poll(timeoutNs, TimeUnit.NANOSECONDS);
        final Throwable thrown = failure;
        if (thrown != null)
        {
            throw thrown;
        }
        return event == WAKE_UP ? null : event;
    }
}
