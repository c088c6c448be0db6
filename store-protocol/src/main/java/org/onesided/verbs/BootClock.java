package org.onesided.verbs;

import java.util.ServiceLoader;

/**
 * A clock that goes on while the machine is suspended, unlike {@link System#nanoTime}. Thread-safe.
 */
public interface BootClock
{
    /** Makes such clocks, as the system has them. */
    interface Provider
    {
        /**
         * @return a clock.
         */
        BootClock create();
    }

    /**
     * @return nanoseconds since the machine was started, time of suspension included.
     */
    long nanoTime();

    /**
     * @return a clock.
     * @throws VerbsException with {@code ENOSYS} if the system has none.
     */
    static BootClock system()
    {
        return ServiceLoader.load(Provider.class, BootClock.class.getClassLoader()).findFirst()
            .orElseThrow(() -> new VerbsException(
                "clock_gettime", Errno.ENOSYS, "there is no clock that goes on while the machine is suspended"))
            .create();
    }
}
