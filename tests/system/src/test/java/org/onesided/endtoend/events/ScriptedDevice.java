package org.onesided.endtoend.events;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

/**
 * The shared-memory device with a port that goes down and asynchronous events as tests want them. Each argument
 * names a device of its own: {@code scripted:server}, {@code scripted:client}.
 */
public final class ScriptedDevice implements Device
{
    private static final String KIND = "scripted";
    private static final Map<String, ScriptedDevice> DEVICES = new ConcurrentHashMap<>();
    private static final AsyncEvent WAKE_UP = new AsyncEvent(AsyncEvent.Type.COMM_EST, -1);

    /** What this host has and prefers to all else, or null. */
    private static volatile ScriptedDevice preferred;

    private final String argument;
    private final Device shm = Devices.find("shm");
    /** One per context: each hears of all. */
    private final List<BlockingQueue<AsyncEvent>> contexts = new CopyOnWriteArrayList<>();
    private final List<CompletionQueue> completionQueues = new CopyOnWriteArrayList<>();
    private final List<QueuePair> queuePairs = new CopyOnWriteArrayList<>();
    /** Those that say that they are in ERR. */
    private final List<QueuePair> failed = new CopyOnWriteArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final List<QueuePair> openQueuePairs = new CopyOnWriteArrayList<>();
    private final AtomicReference<CountDownLatch> hold = new AtomicReference<>();
    private final CountDownLatch isHolding = new CountDownLatch(1);
    private volatile PortState port = PortState.ACTIVE;
    private volatile boolean cannotBeWatched;
    private volatile boolean answersReads = true;
    private volatile boolean registers = true;
    private volatile int queuePairLimit = Integer.MAX_VALUE;

    private ScriptedDevice(final String argument)
    {
        this.argument = argument;
    }

    /** Finds {@link ScriptedDevice}s. */
    public static final class Provider implements DeviceProvider
    {
        /**
         * For {@link java.util.ServiceLoader}.
         */
        public Provider()
        {
        }

        @Override
        public String kind()
        {
            return KIND;
        }

        @Override
        public int preference()
        {
            return preferred == null ? -1 : Integer.MAX_VALUE;
        }

        @Override
        public List<Device> devices()
        {
            return preferred == null ? List.of() : List.of(preferred);
        }

        @Override
        public Device device(final String argument)
        {
            return named(argument);
        }
    }

    static ScriptedDevice named(final String argument)
    {
        return DEVICES.computeIfAbsent(argument, ScriptedDevice::new);
    }

    /** A device of that name without a past. */
    static ScriptedDevice anew(final String argument)
    {
        DEVICES.remove(argument);
        return named(argument);
    }

    static void prefer(final ScriptedDevice device)
    {
        preferred = device;
    }

    void raise(final AsyncEvent.Type type, final int number)
    {
        raise(new AsyncEvent(type, number));
    }

    void failAllQueuePairs()
    {
        failed.addAll(queuePairs);
        failQueuePairsOfBefore();
    }

    /** Events come of all numbers there are, as if they were of queue pairs that had them before. */
    void failQueuePairsOfBefore()
    {
        queuePairs.forEach((queuePair) -> raise(AsyncEvent.Type.QP_FATAL, queuePair.number()));
    }

    void failCompletionQueue(final int index)
    {
        raise(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, completionQueues.get(index)));
    }

    private void raise(final AsyncEvent event)
    {
        contexts.forEach((events) -> events.add(event));
    }

    /** Returns when each context has been told all events. */
    void awaitAllHeard()
    {
        contexts.forEach((events) ->
        {
            while (!events.isEmpty())
            {
                Thread.onSpinWait();
            }
        });
    }

    /** From here on it is one whose queue pairs answer no READs. */
    void answerNoReads()
    {
        answersReads = false;
    }

    /** From here on there is no thread for its events. */
    void forbidWatch()
    {
        cannotBeWatched = true;
    }

    /** Contexts, protection domains and queue pairs that were closed. */
    int closed()
    {
        return closed.get();
    }

    /** The next queue pair to be connected is stuck in that, until this is counted down. */
    CountDownLatch holdConnection()
    {
        final CountDownLatch release = new CountDownLatch(1);
        hold.set(release);
        return release;
    }

    void awaitHeld() throws InterruptedException
    {
        isHolding.await();
    }

    int openQueuePairs()
    {
        return openQueuePairs.size();
    }

    /** From here on it says that it has no room for more. */
    void limitQueuePairs(final int count)
    {
        queuePairLimit = count;
    }

    /** From here on this process may not lock enough memory for it. */
    void registerNothing()
    {
        registers = false;
    }

    void portDown()
    {
        port = PortState.DOWN;
        raise(AsyncEvent.Type.PORT_ERR, 1);
    }

    void portUp()
    {
        port = PortState.ACTIVE;
        raise(AsyncEvent.Type.PORT_ACTIVE, 1);
    }

    /** From here on nothing can be connected, and nobody is told. */
    void losePortSilently()
    {
        port = PortState.DOWN;
        raise(AsyncEvent.Type.GID_CHANGE, 1);
    }

    @Override
    public String name()
    {
        return KIND + ":" + argument;
    }

    @Override
    public Context open()
    {
        final BlockingQueue<AsyncEvent> events = new LinkedBlockingQueue<>();
        contexts.add(events);
        return proxy(Context.class, shm.open(), events);
    }

    private <T> T proxy(final Class<T> type, final T real, final BlockingQueue<AsyncEvent> events)
    {
        return type.cast(Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[]{type}, (proxy, method, arguments) ->
            {
                try
                {
                    return invoke(real, method, arguments, events);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            }));
    }

    private Object invoke(
        final Object real, final Method method, final Object[] arguments, final BlockingQueue<AsyncEvent> events)
        throws ReflectiveOperationException, InterruptedException
    {
        switch (method.getName())
        {
            case "device":
                return this;
            case "hasHardwareEvents":
                if (cannotBeWatched)
                {
                    throw new OutOfMemoryError("no thread for device events");
                }
                return true;
            case "close":
                closed.incrementAndGet();
                method.invoke(real, arguments);
                openQueuePairs.remove(real);
                return null;
            case "state":
                return failed.contains(real) ? QueuePairState.ERR : method.invoke(real, arguments);
            case "register":
                if (!registers)
                {
                    throw new VerbsException("reg_mr", Errno.ENOMEM, "more than may be locked");
                }
                return method.invoke(real, arguments);
            case "modify":
                final CountDownLatch release = hold.get();
                if (release != null && ((QueuePairAttributes)arguments[0]).state() == QueuePairState.RTR &&
                    hold.compareAndSet(release, null))
                {
                    isHolding.countDown();
                    release.await();
                }
                return method.invoke(real, arguments);
            case "wakeUpAsyncWaiter":
                events.add(WAKE_UP);
                return null;
            case "awaitAsyncEvent":
                final AsyncEvent event = events.poll((long)arguments[0], TimeUnit.NANOSECONDS);
                return event == WAKE_UP ? null : event;
            default:
                return seen(method.invoke(real, arguments), events);
        }
    }

    private Object seen(final Object result, final BlockingQueue<AsyncEvent> events)
    {
        if (result instanceof PortAttributes)
        {
            final PortAttributes of = (PortAttributes)result;
            return new PortAttributes(port, of.linkLayer(), of.maxMtu(), of.activeMtu(), of.maxMessageLength(),
                of.lid(), of.gidTableLength(), of.lanes(), of.laneSpeed(), of.demandsRoute());
        }
        if (result instanceof DeviceAttributes)
        {
            final DeviceAttributes of = (DeviceAttributes)result;
            return new DeviceAttributes(of.identity(), Math.min(queuePairLimit, of.maxQueuePairs()),
                of.maxWorkRequests(), of.maxScatterGather(), of.maxCompletionQueues(),
                of.maxCompletions(), of.maxMemoryRegions(), of.maxMemoryRegionLength(),
                of.maxProtectionDomains(), answersReads ? of.maxReadAtomic() : 0, of.maxInitiatedReadAtomic(),
                of.maxSharedReceiveQueues(), of.maxSharedReceiveWorkRequests(), of.maxSharedReceiveScatterGather(),
                of.completionVectors(), of.atomics(), of.portCount());
        }
        if (result instanceof ProtectionDomain)
        {
            return proxy(ProtectionDomain.class, (ProtectionDomain)result, events);
        }
        if (result instanceof CompletionQueue)
        {
            completionQueues.add((CompletionQueue)result);
        }
        if (result instanceof QueuePair)
        {
            queuePairs.add((QueuePair)result);
            openQueuePairs.add((QueuePair)result);
            return proxy(QueuePair.class, (QueuePair)result, events);
        }
        return result;
    }
}
