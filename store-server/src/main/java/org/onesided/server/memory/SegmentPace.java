package org.onesided.server.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The pace at which the growth thread makes a segment usable. Memory comes ahead of need, so the thread rests after
 * each piece for as long as the piece took. Threads that spin and want this core get it back soon. Otherwise they would
 * conclude that others need the cores, and sleep for a while. There is no rest while a put waits for memory. There is
 * none either once the segment has taken long: on busy cores a rest lasts until the thread gets a core again. A segment
 * that a put waits for ends as soon as the put has its room, so that the shard works on with it.
 */
final class SegmentPace implements CommitPace
{
    /** Takes about a millisecond, so others get the core back soon. */
    private static final long PIECE_LENGTH = 1L << 20;
    /** Huge pages are made faster, but asking whether they are huge takes some milliseconds. */
    private static final long HUGE_PIECE_LENGTH = 16L << 20;
    /** A heap has so much ahead of need that it lasts for some hundred milliseconds. */
    private static final long RESTS_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long beginNs = System.nanoTime();
    private final GrowingPart part;
    private final long least;
    private final GrowingParts all;
    private final boolean hasHugePages;
    private final BooleanSupplier isClosed;
    private boolean hasRested;

    /**
     * @param part         that gets the segment.
     * @param least        bytes of the segment.
     * @param all          parts, for any of which a put may wait.
     * @param hasHugePages whether the memory is in huge pages.
     * @param isClosed     whether the thread is to end.
     */
    SegmentPace(
        final GrowingPart part,
        final long least,
        final GrowingParts all,
        final boolean hasHugePages,
        final BooleanSupplier isClosed)
    {
        this.part = part;
        this.least = least;
        this.all = all;
        this.hasHugePages = hasHugePages;
        this.isClosed = isClosed;
    }

    /** Whether the thread rested, so that a wake-up may have been missed. */
    boolean hasRested()
    {
        return hasRested;
    }

    @Override
    public long pieceLength()
    {
        return hasHugePages ? HUGE_PIECE_LENGTH : PIECE_LENGTH;
    }

    @Override
    public boolean next(final long pieceNs)
    {
        if (pieceNs > 0 && System.nanoTime() - beginNs < RESTS_NS && !all.isAwaited())
        {
            hasRested = true;
            LockSupport.parkNanos(this, Math.min(pieceNs, RESTS_NS));
        }
        return !isClosed.getAsBoolean();
    }

    @Override
    public boolean isEnough(final long length)
    {
        return part.isAwaited() && length >= Math.max(least, part.missing());
    }
}
