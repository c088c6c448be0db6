package org.onesided.server.shard.proposal;

import java.util.function.LongSupplier;
import org.agrona.collections.LongArrayQueue;
import org.onesided.protocol.rpc.AppendLimits;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.ShardTable;

/**
 * Decides whether a request has room, before it is proposed: what is committed has to be applied, and a refusal is not
 * logged. A shard with a log uses its share of the memory only, so that no other shard takes what it has counted on; a
 * {@value #SPARE_PART}th of it is spare, as a scattered heap needs, and so that a value can replace one that is no
 * shorter. Belongs to the shard's thread.
 *
 * <p>If records leave when there is no room, their removal is proposed in front of the request that needs it. A value
 * that is pulled takes its place in the heap before it is proposed, so it waits until there is room in the heap for it
 * and for all requests that were proposed when it began to wait. Those that follow do not count on its room.
 *
 * <p>A write that keeps a part of its key's value is counted as if that value were as long as it can be when the write
 * is applied. If there is too little room only for that, the write waits until the table tells.
 */
public final class LoggedRoom
{
    private static final int SPARE_PART = 32;
    /** An index gets memory in segments of such a part of what it has, and gives back whole ones only. */
    private static final int SEGMENT_PART = 4;
    /** What the index takes for a record, at most. */
    private static final int INDEX_BYTES = 24;
    /** And for a bucket, with what is retired, or made ahead of need. */
    private static final int BUCKET_BYTES = 72;
    private static final int MAX_DECIMAL_LENGTH = 20;
    /** A longer record has room for a time already. */
    private static final int MAX_WITHOUT_TIME = 4096;
    /** A second copy of a shorter value needs no more than what is spare. */
    private static final int SHORT = 1024;

    private final ShardTable table;
    private final long limit;
    private final LongSupplier indexBytes;
    private final long share;
    private final LoggedEvictions evictions;
    private final RoomPromise promise = new RoomPromise();
    private final SlotRoom slots;
    private final ProposedLengths lengths = new ProposedLengths();
    private final FoundRecord found = new FoundRecord();
    /** What each request may need that is on its way, in order, and the sum. */
    private final LongArrayQueue proposed = new LongArrayQueue(-1);
    private long proposedBytes;
    private long proposedCount;
    /** Of values that have given up their place in the heap, and need one when they are applied. */
    private long asideBytes;
    private boolean waitsForSlot;

    /**
     * @param table      of the shard.
     * @param share      of the memory that the shard may use, in bytes.
     * @param indexBytes that the index has.
     * @param evictions  of the shard.
     */
    public LoggedRoom(
        final ShardTable table, final long share, final LongSupplier indexBytes, final LoggedEvictions evictions)
    {
        this.evictions = evictions;
        this.table = table;
        this.indexBytes = indexBytes;
        this.share = share;
        limit = share - share / SPARE_PART;
        slots = new SlotRoom(table.chainRoom(), evictions);
    }

    /** A round of the shard begins. */
    public void nextRound()
    {
        evictions.nextRound();
        promise.nextRound();
    }

    /**
     * Tells whether a request has room, besides those on their way: OK, STORE_FULL, CHAIN_FULL, or BUSY for a moment.
     * If records can leave, this makes room: then OK means that the request is to be proposed now. A value that is
     * pulled gets its slot when it is proposed.
     *
     * @param session that asks.
     * @param request a write.
     * @return OK, STORE_FULL, CHAIN_FULL or BUSY.
     */
    public Status check(final long session, final Request request)
    {
        if (!evictions.areOn() || request.kind() == RequestKind.DELETE)
        {
            return refusal(request);
        }
        waitsForSlot = false;
        final Status bytes = makeRoom(session, request);
        final boolean needsSlot = request.kind() != RequestKind.TOUCH && !request.isPull() && !hasSlot(request);
        final Status status = bytes == Status.OK && needsSlot ? makeSlot(request.keyHash()) : bytes;
        waitsForSlot = bytes == Status.OK && status == Status.BUSY;
        return status;
    }

    /**
     * @return whether a request waits for records that were not found yet, though nothing else happens.
     */
    public boolean awaitsVictims()
    {
        return evictions.hasMissed();
    }

    /**
     * @return whether the last {@link #check} was BUSY for want of a slot, and not of room in the heap.
     */
    public boolean waitsForSlot()
    {
        return waitsForSlot;
    }

    /**
     * @param request a write.
     * @return as {@link #check} would say, but nothing leaves.
     */
    public Status refusal(final Request request)
    {
        if (request.kind() == RequestKind.DELETE)
        {
            return Status.OK;
        }
        if (!hasBytes(request, lengths.longest(request.keyHash())))
        {
            return hasBytes(request, 0) ? Status.BUSY : Status.STORE_FULL;
        }
        final Status slot = slots.check(request.keyHash());
        return slot == Status.CHAIN_FULL && hasSlot(request) ? Status.OK : slot;
    }

    /** As {@link SlotRoom#make}. */
    Status makeSlot(final long keyHash)
    {
        return slots.make(keyHash);
    }

    /** Has records leave for a request: OK if there is room behind them, STORE_FULL, or BUSY for a moment. */
    private Status makeRoom(final long session, final Request request)
    {
        final long needed = needed(request);
        if (needed + index() > limit)
        {
            return neededNow(request) + index() > limit ? Status.STORE_FULL : Status.BUSY;
        }
        final long id = request.requestId();
        if (request.isPull())
        {
            return makeRoomInHeap(session, id, needed);
        }
        if (request.kind() != RequestKind.APPEND && missing(needed) > 0 &&
            replacesLonger(request, lengths.longest(request.keyHash())))
        {
            return Status.OK;
        }
        if (letLeave(needed + promise.bytesOfOthers(session, id), !promise.isHeldBy(session, id)) <= 0)
        {
            return Status.OK;
        }
        if (promise.isFreeFor(session, id))
        {
            promise.take(session, id, needed, missing(needed), proposedSoFar());
        }
        return Status.BUSY;
    }

    /** The same for a value that takes its place before it is proposed. One at a time has records leave. */
    private Status makeRoomInHeap(final long session, final long id, final long needed)
    {
        if (!promise.isFreeFor(session, id))
        {
            return evictions.leavingBytes() == 0 && missing(needed + promise.bytesOfOthers(session, id)) <= 0 ?
                Status.OK : Status.BUSY;
        }
        final long missing = letLeave(needed, false);
        promise.take(session, id, needed, missing, proposedSoFar());
        final boolean isInHeap = evictions.leavingBytes() == 0 ||
            appliedSoFar() >= promise.wholeBehind() && used() + needed <= limit;
        return missing <= 0 && isInHeap ? Status.OK : Status.BUSY;
    }

    /** Has records leave if so many bytes are not there; tells how many are still missing. */
    private long letLeave(final long needed, final boolean isAtOnce)
    {
        final long missing = missing(needed);
        if (missing > 0)
        {
            evictions.propose(missing, isAtOnce);
        }
        return missing(needed);
    }

    /** How many requests and evictions were proposed, as long as the log is open. */
    private long proposedSoFar()
    {
        return proposedCount + evictions.proposedCount();
    }

    private long appliedSoFar()
    {
        return proposedCount - proposed.size() + evictions.appliedCount();
    }

    /**
     * Bytes that the index may have, also after a restart, whose segments begin and end elsewhere. If it lacks memory,
     * as records have it, it may get that sooner there, and keeps it: so what it wants counts.
     */
    private long index()
    {
        final long bytes = Math.max(indexBytes.getAsLong(), BUCKET_BYTES * table.load().wantedBuckets());
        return bytes + bytes / SEGMENT_PART;
    }

    private long used()
    {
        return table.evictions().heapBytesKept() + index();
    }

    /** Bytes that are missing for so many, behind all that is proposed. */
    private long missing(final long needed)
    {
        return used() + proposedBytes + asideBytes - evictions.leavingBytes() + needed - limit;
    }

    /** Whether a committed request has to wait until the index gets memory. */
    boolean awaitsIndex(final Request request)
    {
        final Status status = slots.status(request);
        return status == Status.BUSY || status == Status.GROWTH_REFUSED;
    }

    private boolean hasBytes(final Request request, final long lengthBefore)
    {
        final long needed = needed(request, lengthBefore);
        final long all = table.heapBytesUsed() + index() + proposedBytes + asideBytes + needed;
        return needed == 0 || all <= limit ||
            request.kind() != RequestKind.APPEND && (!request.isPull() || all <= share) &&
            replacesLonger(request, lengthBefore);
    }

    private boolean replacesLonger(final Request request, final long lengthBefore)
    {
        return hasSlot(request) &&
            Math.max(found.valueLength(), MAX_DECIMAL_LENGTH) >= valueLength(request, lengthBefore);
    }

    private boolean hasSlot(final Request request)
    {
        return isPresent(request) && !isLeaving(request.keyHash());
    }

    /**
     * Whether a key's record is on its way out. It leaves before a request is applied that is proposed now, and another
     * key may have its slot then.
     */
    boolean isLeaving(final long keyHash)
    {
        return evictions.contains(keyHash);
    }

    private boolean isPresent(final Request request)
    {
        return table.lookups().find(request.keyHash(), request.key(), request.keyLength(), found);
    }

    /**
     * A request is proposed.
     *
     * @param session of the request.
     * @param request that is proposed.
     */
    public void propose(final long session, final Request request)
    {
        promise.release(session, request.requestId());
        final long needed = needed(request);
        propose(request.keyHash(), needed, needed > SHORT || request.kind() == RequestKind.APPEND ?
            valueLength(request, lengths.longest(request.keyHash())) : 0);
    }

    /**
     * A value has taken its place in the heap.
     *
     * @param session of the request.
     * @param request whose value that is.
     */
    public void onReserved(final long session, final Request request)
    {
        promise.release(session, request.requestId());
    }

    /** A value of so many bytes is proposed that is in its place in the heap. */
    void proposePulled(final long keyHash, final int length)
    {
        propose(keyHash, INDEX_BYTES, length);
    }

    private void propose(final long keyHash, final long needed, final long length)
    {
        slots.propose(keyHash);
        lengths.add(keyHash, length);
        proposed.addLong(needed);
        proposedBytes += needed;
        proposedCount++;
    }

    /** A value of so many bytes has given up its place in the heap. */
    void setAside(final int length)
    {
        asideBytes += aside(length);
    }

    /** A value that had done so is applied, or given up. */
    void takeBack(final int length)
    {
        asideBytes -= aside(length);
    }

    private static long aside(final int length)
    {
        return RecordDescriptor.length(RecordDescriptor.MAX_KEY_LENGTH, length, RecordDescriptor.EXPIRY_FLAG);
    }

    /** The oldest request that was proposed is applied. */
    public void onApplied()
    {
        if (!proposed.isEmpty())
        {
            proposedBytes -= proposed.pollLong();
            lengths.removeOldest();
            slots.onApplied();
        }
    }

    /** Nothing is on its way, or nobody knows what is. */
    public void clear()
    {
        proposed.clear();
        lengths.clear();
        slots.clear();
        proposedBytes = 0;
        evictions.clear();
        promise.clear();
    }

    /**
     * @param request a write.
     * @return most bytes that it can need, behind all that is on its way.
     */
    public long needed(final Request request)
    {
        return needed(request, lengths.longest(request.keyHash()));
    }

    /**
     * @param request a write.
     * @return most bytes that it needs if it is applied now.
     */
    public long neededNow(final Request request)
    {
        return needed(request, 0);
    }

    private long needed(final Request request, final long lengthBefore)
    {
        return request.kind() == RequestKind.DELETE ? 0 : RecordDescriptor.length(
            request.keyLength(), valueLength(request, lengthBefore), RecordDescriptor.EXPIRY_FLAG) + INDEX_BYTES;
    }

    /** Longest value that there may be behind a request, if the key's present one may become so long before it. */
    private long valueLength(final Request request, final long lengthBefore)
    {
        return switch (request.kind())
        {
            case PUT -> request.valueLength();
            case PUT_LARGE -> request.block().largeValueLength();
            case INCREMENT -> MAX_DECIMAL_LENGTH;
            // A longer one is refused when it is applied.
            case APPEND -> Math.min(AppendLimits.MAX_VALUE_LENGTH,
                request.valueLength() + Math.max(lengthBefore, presentLength(request)));
            default -> Math.min(MAX_WITHOUT_TIME, Math.max(lengthBefore, presentLength(request)));
        };
    }

    private int presentLength(final Request request)
    {
        return isPresent(request) ? found.valueLength() : 0;
    }
}
