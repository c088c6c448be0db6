package org.onesided.verbs.posix;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onesided.machine.MachineMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Decides whether memory is available. A query of the kernel reads and parses several files, and a connecting client
 * would need five. So small requests are taken from an allowance, which is renewed by a query at most once a second
 * while it lasts. Thread-safe.
 */
public final class MemoryAllowance
{
    static final long SMALL_LENGTH = 1 << 20;
    /** Lengths up to this need no check: they are small compared to a Java heap. */
    static final long MAX_LENGTH = 32 << 20;
    private static final int FRACTION = 16;
    private static final long LEAST_MARGIN = 16 << 20;
    private static final int MARGIN_PART = 16;
    private static final int MOST_MARGIN_PART = 4;
    private static final MemoryAllowance HERE = new MemoryAllowance(MachineMemory.here(), System::nanoTime);

    private static final long VALID_NS = TimeUnit.SECONDS.toNanos(1);

    private final MachineMemory machine;
    private final LongSupplier clock;
    private long left;
    private long askedNs;

    /** @param clock in nanoseconds. */
    MemoryAllowance(final MachineMemory machine, final LongSupplier clock)
    {
        this.machine = machine;
        this.clock = clock;
    }

    /**
     * @param limit of what memory that grows shares with the connections of clients, in bytes; 0 if there is none.
     * @return bytes of it that growth leaves to clients.
     */
    public static long margin(final long limit)
    {
        return Math.min(Math.max(LEAST_MARGIN, limit / MARGIN_PART), limit / MOST_MARGIN_PART);
    }

    /**
     * @return the allowance of the machine that this process runs on.
     */
    public static MemoryAllowance here()
    {
        return HERE;
    }

    /**
     * @param length in bytes.
     * @return whether so much memory is available.
     */
    synchronized boolean permits(final long length)
    {
        if (length > SMALL_LENGTH)
        {
            return length <= machine.available();
        }
        final long nowNs = clock.getAsLong();
        if (length > left || nowNs - askedNs > VALID_NS)
        {
            askedNs = nowNs;
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

    /**
     * Checks that memory may grow. A full control group ends a process rather than refuse it memory, so growth stops a
     * tenth below the group's limit.
     *
     * @param length in bytes.
     * @throws VerbsException with {@code ENOMEM} if there is too little.
     */
    public void checkGrowth(final long length)
    {
        final long growable = machine.growable();
        if (length > growable)
        {
            throw new VerbsException("allocate", Errno.ENOMEM,
                "memory of the machine or control group is used up, of which a tenth stays free: raise the limit or " +
                    "end other programs: length=" + length + " left=" + growable);
        }
    }
}
