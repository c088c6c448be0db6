package org.onesided.verbs.posix;

/**
 * Decides whether memory can be had. To ask the kernel means to read and parse some files, which a client that connects
 * would do five times: so small pieces come out of an allowance, for which the kernel is asked once. Thread-safe.
 */
final class MemoryAllowance
{
    static final long SMALL_LENGTH = 1 << 20;
    /** Small next to what a Java heap takes without asking. */
    static final long MAX_LENGTH = 32 << 20;
    private static final int FRACTION = 16;
    private static final MemoryAllowance HERE = new MemoryAllowance(MachineMemory.here());

    private final MachineMemory machine;
    private long left;

    MemoryAllowance(final MachineMemory machine)
    {
        this.machine = machine;
    }

    /** Of the machine that this process runs on. */
    static MemoryAllowance here()
    {
        return HERE;
    }

    /**
     * @param length in bytes.
     * @return whether so much can be had.
     */
    synchronized boolean permits(final long length)
    {
        if (length > SMALL_LENGTH)
        {
            return length <= machine.available();
        }
        if (length > left)
        {
            final long available = machine.available();
            if (length > available)
            {
                return false;
            }
            left = Math.max(length, Math.min(MAX_LENGTH, available / FRACTION));
        }
        left -= length;
        return true;
    }
}
