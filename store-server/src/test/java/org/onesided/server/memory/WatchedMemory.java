package org.onesided.server.memory;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.LongConsumer;
import org.onesided.verbs.GrowableMemory;

/** Memory that tells a test before pages become usable. */
final class WatchedMemory
{
    private WatchedMemory()
    {
    }

    /**
     * @param to       what it is in fact.
     * @param onCommit called with the length of each piece before it becomes usable.
     * @return the same memory, watched.
     */
    static GrowableMemory of(final GrowableMemory to, final LongConsumer onCommit)
    {
        return (GrowableMemory)Proxy.newProxyInstance(
            GrowableMemory.class.getClassLoader(),
            new Class<?>[] {GrowableMemory.class},
            (proxy, method, arguments) ->
            {
                if ("commit".equals(method.getName()))
                {
                    onCommit.accept((Long)arguments[1]);
                }
                try
                {
                    return method.invoke(to, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
