package org.onesided.server.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.PartMemory;

/**
 * A part of a shard's memory that grows by segments. The shard's thread asks, the growth thread answers. Reserves of
 * address space make room behind each part, so its segments adjoin.
 *
 * <pre>
 *   released          retired       in use                       given up        not there yet
 *  +-----------------+-------------+----------------------------+---------------+---------------
 *  |  no memory      | segments    | segments                   | segments      |  no memory
 *  +-----------------+-------------+----------------------------+---------------+---------------
 *   the first segments of an index go                            the last ones of a heap go,
 *                                                                or are used again
 * </pre>
 */
public final class GrowingPart implements PartMemory
{
    private final GrowthPlan.Part part;
    private final boolean isIndex;
    private final SegmentSource source;
    private final Runnable onGrown;
    /** Raised by the growth thread, lowered by the shard's thread. */
    private final AtomicLong usable = new AtomicLong();
    /** Bytes from the start up to the end of the last segment. */
    private volatile long there;
    private volatile long wanted;
    private volatile boolean isAwaited;
    private volatile boolean isStarved;
    private volatile int segments;
    /** Bytes from the start that are not used any more, and bytes of them that were given back. */
    private volatile long retired;
    private volatile long released;
    /** The end of a segment that the growth thread was woken for. For the shard's thread. */
    private long signalledEnd;
    /** Where the first segment ends that is still there. */
    private volatile long endOfFirst = Long.MAX_VALUE;
    /** Where the segment begins that the shard is asked to give up. */
    private volatile long surplus = NONE;
    private volatile boolean isSurplusUrgent;
    private volatile long givenBack;
    /** Ends of the segments, those that were given back not included. For the growth thread. */
    private final Deque<Long> ends = new ArrayDeque<>();
    private long freeFrom;
    /** Bytes behind the last segment that were given back. For the growth thread. */
    private long freeBehind;
    /** Whether a device kept a segment that was given back: it might keep others. */
    private boolean isKept;

    /**
     * @param part    of the plan.
     * @param isIndex whether it belongs to an index, and may have the last memory.
     * @param source  of segments.
     * @param onGrown called by its thread when there is more memory, or none for now.
     */
    GrowingPart(
        final GrowthPlan.Part part, final boolean isIndex, final SegmentSource source, final Runnable onGrown)
    {
        this.part = part;
        this.isIndex = isIndex;
        this.source = source;
        this.onGrown = onGrown;
    }

    @Override
    public long usable()
    {
        return usable.get();
    }

    @Override
    public boolean ensure(final long length)
    {
        final long now = usable();
        if (length <= now)
        {
            isStarved = false;
            return true;
        }
        if (isIndex && !isStarved && length <= part.length() && left() == 0)
        {
            isStarved = true;
            source.wakeUp();
        }
        final long most = Math.min(length, part.length());
        final long before = wanted;
        if (most > before && (left() > 0 || givenUp() > 0))
        {
            wanted = most;
            // The thread looks again after each segment, so it need not be woken up while it is about to add one.
            if (before <= now && (!source.isRefused() || givenUp() > 0))
            {
                source.wakeUp();
            }
        }
        return false;
    }

    @Override
    public void await()
    {
        isAwaited = true;
    }

    /** Whether a put waits for memory of this part. */
    boolean isAwaited()
    {
        return isAwaited;
    }

    /** Whether this is an index that has asked for more while there was none left. */
    boolean isStarved()
    {
        return isStarved && left() == 0;
    }

    @Override
    public long growable()
    {
        return Math.min(part.length() - usable(), givenUp() + (source.isRefused() ? 0 : left()));
    }

    @Override
    public long ahead()
    {
        return source.ahead(held(), isIndex);
    }

    @Override
    public void retire(final long length)
    {
        retired = length;
        // The thread reads them the other way round, so one of the two sees what the other wrote.
        final long end = endOfFirst;
        if (length >= end && signalledEnd != end)
        {
            signalledEnd = end;
            source.wakeUp();
        }
    }

    @Override
    public long retired()
    {
        return retired;
    }

    @Override
    public long released()
    {
        return released;
    }

    @Override
    public long surplus()
    {
        return surplus;
    }

    @Override
    public boolean isSurplusUrgent()
    {
        return isSurplusUrgent;
    }

    @Override
    public boolean giveUp(final long start)
    {
        final long before = usable();
        // What was wanted is there: otherwise the segment would be taken back at once.
        wanted = start;
        if (surplus != start || !usable.compareAndSet(before, start))
        {
            return false;
        }
        surplus = NONE;
        source.wakeUp();
        return true;
    }

    @Override
    public void keepSurplus()
    {
        surplus = NONE;
    }

    @Override
    public long givenUp()
    {
        return Math.max(0, there - usable());
    }

    @Override
    public long givenBack()
    {
        return givenBack;
    }

    /** Whether another part's segments leave less for this one. */
    boolean competesWith(final GrowingPart other)
    {
        return source.pool() == other.source.pool();
    }

    /** Bytes of segments that are there, up to where they are usable. */
    long held()
    {
        return usable() - released;
    }

    /** Whether there is a segment of which nothing is used any more. */
    boolean hasRetiredSegment()
    {
        return retired >= endOfFirst;
    }

    /** Where the first segment ends that is still there, from the start of the part. */
    long endOfFirst()
    {
        return endOfFirst;
    }

    /** Table offset of the first segment that is still there. */
    long begin()
    {
        return origin() + released;
    }

    /** Bytes right before the first segment whose memory is free. */
    long freeBefore()
    {
        return released - freeFrom;
    }

    /** The first segment has been given back; its memory is free, unless a device keeps it. */
    void releaseFirst(final boolean isFree)
    {
        segments--;
        final long before = released;
        released = ends.removeFirst();
        if (isFree)
        {
            source.onGiven(released - before);
        }
        freeFrom = isFree ? freeFrom : released;
        endOfFirst = ends.isEmpty() ? Long.MAX_VALUE : ends.getFirst();
    }

    /**
     * Asks the shard to give the last segment up, if there are others and the last request is settled.
     *
     * @param isUrgent as {@link PartMemory#isSurplusUrgent}.
     */
    void askForLast(final boolean isUrgent)
    {
        // What is under way does not get less urgent.
        isSurplusUrgent = isUrgent || isSurplusUrgent && surplus != NONE;
        if (ends.size() > 1 && givenUp() == 0 && surplus == NONE && !isKept)
        {
            surplus = segmentsDownTo(end() - 1).get(0).offset() - part.start();
            tell();
        }
    }

    /**
     * A segment.
     *
     * @param offset in the table.
     * @param length in bytes.
     */
    record Segment(long offset, long length)
    {
    }

    /** The segments that were given up, the last one first. */
    List<Segment> givenUpSegments()
    {
        return givenUp() == 0 ? List.of() : segmentsDownTo(part.start() + usable());
    }

    /** The segments that end behind a table offset, the last one first. */
    private List<Segment> segmentsDownTo(final long offset)
    {
        final List<Segment> found = new ArrayList<>();
        final Iterator<Long> each = ends.descendingIterator();
        long end = origin() + each.next();
        while (end > offset)
        {
            final long begin = origin() + (each.hasNext() ? each.next() : released);
            found.add(new Segment(begin, end - begin));
            end = begin;
        }
        return found;
    }

    /** Bytes right behind the last segment that were given back. */
    long freeBehind()
    {
        return freeBehind;
    }

    /** The last segment has been given back, after it was given up; its memory is free, unless a device keeps it. */
    void releaseLast(final boolean isFree)
    {
        final long length = ends.removeLast() - (ends.isEmpty() ? released : ends.getLast());
        segments--;
        givenBack += isFree ? length : 0;
        isKept |= !isFree;
        freeBehind = isFree ? freeBehind + length : 0;
        there = Math.min(part.length(), end() - part.start());
        if (isFree)
        {
            source.onGiven(length);
        }
    }

    /** Whether more is wanted, and some that was given up is there. */
    boolean wantsGivenUp()
    {
        return givenUp() > 0 && wanted > usable();
    }

    /** What was given up is used again. */
    void takeBack()
    {
        isAwaited = false;
        usable.compareAndSet(usable(), there);
    }

    @Override
    public int segments()
    {
        return segments;
    }

    @Override
    public boolean isRefused()
    {
        return source.isRefused() && usable() < part.length() && left() > 0;
    }

    boolean isIndex()
    {
        return isIndex;
    }

    /** Bytes of the pool that it may have. */
    long left()
    {
        return source.left(isIndex);
    }

    /** Table offset of the next segment: segments are whole pages. */
    long end()
    {
        return origin() + (ends.isEmpty() ? released : ends.getLast());
    }

    /** Table offset of the page that the part begins in. */
    private long origin()
    {
        return GrowthPlan.pageFloor(part.start());
    }

    /** Bytes of segments that are wanted, and not there. */
    long missing()
    {
        return wanted <= usable() ? 0 : GrowthPlan.pageCeiling(part.start() + wanted) - end();
    }

    /** Bytes of segments that there still may be. */
    long most()
    {
        return GrowthPlan.pageCeiling(part.start() + part.length()) - end();
    }

    /** A segment has been added. */
    void grown(final long length)
    {
        final long before = there;
        isAwaited = false;
        segments++;
        ends.addLast(end() + length - origin());
        endOfFirst = ends.getFirst();
        freeBehind = Math.max(0, freeBehind - length);
        surplus = NONE;
        there = Math.min(part.length(), end() - part.start());
        // The shard may have given some up meanwhile. Then the new segment is given up with them.
        usable.compareAndSet(before, there);
        // Not before, as a shard that saw neither the segment nor room for it would refuse puts.
        source.onTaken(length);
    }

    /** The shard is to look again. */
    void tell()
    {
        onGrown.run();
    }
}
