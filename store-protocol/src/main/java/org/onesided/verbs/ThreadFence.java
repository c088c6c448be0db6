package org.onesided.verbs;

import java.lang.invoke.VarHandle;
import java.util.ServiceLoader;

/**
 * A fence between two threads of which one passes often, and the other seldom: all of its cost is the latter's. Each
 * thread stores, passes its fence, and then loads what the other one stores. So at least one of the two sees the
 * other's store.
 *
 * <p>The thread that passes often stores and loads with opaque access or stronger ones, so that the compiler keeps them
 * in this order. Where the system has no fence for all threads, both pass a full one. Thread-safe.
 */
public final class ThreadFence
{
    /** Fences for all threads of this process, as the system has them. */
    public interface Provider
    {
        /**
         * @return whether the system has them.
         */
        boolean isAvailable();

        /**
         * Makes each thread of this process pass a full fence.
         *
         * @return whether that was done.
         */
        boolean fenceAll();
    }

    /** Constant, so that the compiler leaves nothing of {@link #light} where there is one. */
    private static final Provider PROVIDER = find();

    private ThreadFence()
    {
    }

    /** For the thread that passes often. */
    public static void light()
    {
        if (PROVIDER == null)
        {
            VarHandle.fullFence();
        }
    }

    /**
     * For the thread that passes seldom: takes some microseconds.
     *
     * @return whether the fence was passed; if not, try again later.
     */
    public static boolean heavy()
    {
        VarHandle.fullFence();
        return PROVIDER == null || PROVIDER.fenceAll();
    }

    private static Provider find()
    {
        return ServiceLoader.load(Provider.class, ThreadFence.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .filter(Provider::isAvailable)
            .findFirst()
            .orElse(null);
    }
}
