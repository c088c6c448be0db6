package org.onesided.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;

/**
 * A device that works, but for one call of a control verb, or for what destroys objects, and that counts what is open.
 * It can also report completions that no request has, keep completions to itself for a while, and let a test see and
 * change what the server asks for.
 */
final class FailingDevice implements Device
{
    private static final Set<String> STEPS = Set.of("open", "allocateGrowable", "commit", "allocateProtectionDomain",
        "createCompletionChannel", "createCompletionQueue", "register", "createQueuePair", "modify", "queryPort",
        "queryDevice", "queryGid");
    private static final Class<?>[] OBJECTS = {Context.class, GrowableMemory.class, DeviceMemory.class,
        ProtectionDomain.class, CompletionChannel.class, CompletionQueue.class, MemoryRegion.class, QueuePair.class};

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger untilFailure;
    private final Device device;
    private volatile int step;
    private volatile Class<?> complaining;
    private volatile String fatalVerb;
    private volatile String heldVerb;
    private final Semaphore held = new Semaphore(0);
    private final AtomicInteger holding = new AtomicInteger();
    private final Queue<Forged> forged = new ConcurrentLinkedQueue<>();
    private volatile int lastQueuePair;
    private volatile String withheldFrom;
    private volatile Watcher watcher = new Watcher()
    {
    };

    /** Sees all calls. */
    interface Watcher
    {
        /** A verb is about to be called, with these arguments, which may be changed. */
        default void onCall(final String verb, final Object[] arguments)
        {
        }

        /** A verb gave something back. */
        default void onReturn(final String verb, final Object result)
        {
        }
    }

    private record Forged(long id, int status, int queuePair)
    {
    }

    FailingDevice(final Device device, final int step)
    {
        this.device = device;
        untilFailure = new AtomicInteger();
        failAfter(step);
    }

    void failAfter(final int steps)
    {
        step = steps;
        untilFailure.set(steps);
    }

    /** Lets objects of a type complain when they are destroyed. They are, or the test could not clean up. */
    void failToDestroy(final Class<?> type)
    {
        complaining = type;
    }

    /** Lets a verb throw an error from now on. */
    void failFatally(final String verb)
    {
        fatalVerb = verb;
    }

    /** Lets a verb wait from now on, until {@link #release}. */
    void hold(final String verb)
    {
        heldVerb = verb;
    }

    /** How often the verb was called that is held. */
    int heldCalls()
    {
        return holding.get();
    }

    void release()
    {
        heldVerb = null;
        held.release(Integer.MAX_VALUE - held.availablePermits());
    }

    /** Lets the next poll, of whichever completion queue, find a completion. */
    void forgeCompletion(final long id, final int status, final int queuePair)
    {
        forged.add(new Forged(id, status, queuePair));
    }

    /** Lets a thread, by its name, find no completions; null to let it go on. */
    void withholdFrom(final String thread)
    {
        withheldFrom = thread;
    }

    /** Lets somebody see all calls from now on. */
    void watch(final Watcher by)
    {
        watcher = by;
    }

    /** Whether all forged completions were polled. */
    boolean areForgedPolled()
    {
        return forged.isEmpty();
    }

    /** Number of the queue pair that was created last. */
    int lastQueuePair()
    {
        return lastQueuePair;
    }

    int openCount()
    {
        return open.get();
    }

    @Override
    public String name()
    {
        return device.name();
    }

    @Override
    public Context open()
    {
        step("open");
        return (Context)wrap(device.open());
    }

    private void step(final String verb)
    {
        if (STEPS.contains(verb) && untilFailure.getAndDecrement() == 0)
        {
            throw new VerbsException(verb, Errno.ENOMEM, "step " + step);
        }
    }

    private Object wrap(final Object object)
    {
        for (final Class<?> type : OBJECTS)
        {
            if (type.isInstance(object))
            {
                open.incrementAndGet();
                return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, new Handler(object));
            }
        }
        return object;
    }

    private static Object unwrap(final Object argument)
    {
        if (argument instanceof QueuePairInitAttributes)
        {
            final QueuePairInitAttributes of = (QueuePairInitAttributes)argument;
            return new QueuePairInitAttributes((CompletionQueue)unwrap(of.sendQueue()),
                (CompletionQueue)unwrap(of.receiveQueue()), of.sharedReceives(), of.maxSends(), of.maxReceives(),
                of.maxSendElements(), of.maxReceiveElements(), of.maxInline(), of.signalAll(), of.untrustedPeer());
        }
        return argument != null && Proxy.isProxyClass(argument.getClass()) ?
            ((Handler)Proxy.getInvocationHandler(argument)).target : argument;
    }

    private static void forge(final long address, final Forged completion)
    {
        UnsafeApi.setMemory(address, CompletionDescriptor.LENGTH, (byte)0);
        UnsafeApi.putLong(address + CompletionDescriptor.ID_OFFSET, completion.id);
        UnsafeApi.putInt(address + CompletionDescriptor.STATUS_OFFSET, completion.status);
        UnsafeApi.putInt(address + CompletionDescriptor.QUEUE_PAIR_OFFSET, completion.queuePair);
    }

    private final class Handler implements InvocationHandler
    {
        private final Object target;

        private Handler(final Object target)
        {
            this.target = target;
        }

        @Override
        public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable
        {
            step(method.getName());
            if (method.getName().equals(heldVerb))
            {
                holding.incrementAndGet();
                held.acquire();
            }
            if (method.getName().equals(fatalVerb))
            {
                throw new InternalError("fatal " + fatalVerb);
            }
            if ("poll".equals(method.getName()) && !forged.isEmpty())
            {
                forge((long)arguments[0], forged.remove());
                return 1;
            }
            if ("poll".equals(method.getName()) && Thread.currentThread().getName().equals(withheldFrom))
            {
                return 0;
            }
            final Object[] real = arguments == null ? null : arguments.clone();
            for (int i = 0; real != null && i < real.length; i++)
            {
                real[i] = unwrap(real[i]);
            }
            watcher.onCall(method.getName(), real);
            try
            {
                final Object result = method.invoke(target, real);
                watcher.onReturn(method.getName(), result);
                if (result instanceof QueuePair)
                {
                    lastQueuePair = ((QueuePair)result).number();
                }
                if ("close".equals(method.getName()))
                {
                    open.decrementAndGet();
                    if (complaining != null && complaining.isInstance(target))
                    {
                        throw new VerbsException("destroy", Errno.EIO, "device is broken");
                    }
                }
                return "awaitEvent".equals(method.getName()) || "context".equals(method.getName()) ?
                    result : wrap(result);
            }
            catch (final InvocationTargetException e)
            {
                throw e.getCause();
            }
        }
    }
}
