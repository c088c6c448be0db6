package org.onesided.verbs.posix;

import java.util.Map;
import org.onesided.verbs.ThreadFence;

/**
 * Fences for all threads of this process by membarrier(2), which Linux has since 4.14. Thread-safe.
 */
public final class Membarrier implements ThreadFence.Provider
{
    private static final int PRIVATE_EXPEDITED = 1 << 3;
    private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;
    /** The C library has no function for it, and its number differs. */
    private static final Map<String, Integer> NUMBERS = Map.of("amd64", 324, "x86_64", 324, "aarch64", 283);

    private final int number = NUMBERS.getOrDefault(System.getProperty("os.arch"), 0);
    private final boolean isAvailable = number != 0 && call(REGISTER_PRIVATE_EXPEDITED) && call(PRIVATE_EXPEDITED);

    /**
     * Announces to the kernel that this process will use it.
     */
    public Membarrier()
    {
    }

    @Override
    public boolean isAvailable()
    {
        return isAvailable;
    }

    @Override
    public boolean fenceAll()
    {
        // A process that was restored from a checkpoint is not registered any more.
        return call(PRIVATE_EXPEDITED) || call(REGISTER_PRIVATE_EXPEDITED) && call(PRIVATE_EXPEDITED);
    }

    private boolean call(final int command)
    {
        return PosixCalls.syscall(number, command, 0, 0) == 0;
    }
}
