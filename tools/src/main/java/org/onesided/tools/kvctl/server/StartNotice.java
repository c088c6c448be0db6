package org.onesided.tools.kvctl.server;

import java.util.function.LongSupplier;
import org.onesided.server.data.ReadBackListener;
import org.onesided.tools.text.Amounts;

/**
 * What a starting server is busy with, and how far it is: first it prepares memory, then it may read the table back
 * from the disk. Thread-safe.
 */
final class StartNotice implements ReadBackListener
{
    private static final int MAX_PERCENT = 100;

    private final long memory;
    private final LongSupplier unused;
    private final long unusedBefore;
    private volatile double readShare = -1;

    /**
     * @param memory of the store in bytes.
     * @param unused bytes of the machine's memory, now; negative if that is not known.
     */
    StartNotice(final long memory, final LongSupplier unused)
    {
        this.memory = memory;
        this.unused = unused;
        unusedBefore = unused.getAsLong();
    }

    @Override
    public void onReadBack(final long bytes, final long length)
    {
        readShare = (double)bytes / length;
    }

    String text()
    {
        return readShare < 0 ? "preparing " + Amounts.size(memory) : "reading the table back";
    }

    /** Both in one: {@code preparing 1 GiB, 42 %}. */
    String progress()
    {
        final double share = share();
        return text() + (share < 0 ? "" : ", " + Math.min(MAX_PERCENT, (int)(share * MAX_PERCENT)) + " %");
    }

    /** The part that is done, 0 to 1; negative if it is not known. */
    double share()
    {
        final double share = readShare;
        if (share >= 0)
        {
            return share;
        }
        // Preparing memory takes that of the machine, whatever device does it.
        return unusedBefore < 0 ? -1 : Math.max(0, (double)(unusedBefore - unused.getAsLong()) / memory);
    }
}
