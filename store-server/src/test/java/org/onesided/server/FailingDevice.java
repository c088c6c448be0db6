package org.onesided.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;

/**
 * A device that works, but for one call of a control verb, or for what destroys objects, and that counts what is open.
 */
final class FailingDevice implements Device
{
    private static final Set<String> STEPS = Set.of("open", "allocate", "allocateProtectionDomain",
        "createCompletionChannel", "createCompletionQueue", "register", "createQueuePair", "modify", "queryPort",
        "queryDevice", "queryGid");
    private static final Class<?>[] OBJECTS = {Context.class, DeviceMemory.class, ProtectionDomain.class,
        CompletionChannel.class, CompletionQueue.class, MemoryRegion.class, QueuePair.class};

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger untilFailure;
    private final Device device;
    private volatile int step;
    private volatile Class<?> complaining;
    private volatile String fatalVerb;

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
            if (method.getName().equals(fatalVerb))
            {
                throw new InternalError("fatal " + fatalVerb);
            }
            final Object[] real = arguments == null ? null : arguments.clone();
            for (int i = 0; real != null && i < real.length; i++)
            {
                real[i] = unwrap(real[i]);
            }
            try
            {
                final Object result = method.invoke(target, real);
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
