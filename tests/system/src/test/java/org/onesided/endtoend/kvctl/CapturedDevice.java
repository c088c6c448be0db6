package org.onesided.endtoend.kvctl;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Devices;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;

/**
 * The device {@code tcp} as a client opens it, whose queue pairs a test may use as well, by the name {@code captured}.
 */
final class CapturedDevice implements Device
{
    /** All that were made. */
    static final List<QueuePair> QUEUE_PAIRS = new CopyOnWriteArrayList<>();

    private static final String KIND = "tcp";

    /** Finds the device. */
    public static final class Provider implements DeviceProvider
    {
        @Override
        public String kind()
        {
            return "captured";
        }

        @Override
        public int preference()
        {
            return -1;
        }

        @Override
        public List<Device> devices()
        {
            return List.of();
        }

        @Override
        public Device device(final String argument)
        {
            return new CapturedDevice();
        }
    }

    @Override
    public String name()
    {
        return KIND;
    }

    @Override
    public Context open()
    {
        final Context context = Devices.find(KIND).open();
        return proxy(Context.class, (method, arguments) ->
        {
            final Object result = method.invoke(context, arguments);
            return result instanceof ProtectionDomain domain ? captured(domain) : result;
        });
    }

    private static ProtectionDomain captured(final ProtectionDomain domain)
    {
        return proxy(ProtectionDomain.class, (method, arguments) ->
        {
            final Object result = method.invoke(domain, arguments);
            if (result instanceof QueuePair queuePair)
            {
                QUEUE_PAIRS.add(queuePair);
            }
            return result;
        });
    }

    /** What becomes of a call. */
    private interface Call
    {
        Object invoke(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(final Class<T> type, final Call call)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) ->
        {
            try
            {
                return call.invoke(method, args);
            }
            catch (final InvocationTargetException e)
            {
                throw e.getCause();
            }
        }));
    }
}
