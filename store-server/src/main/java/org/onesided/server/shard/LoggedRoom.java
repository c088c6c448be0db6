package org.onesided.server.shard;

import java.util.function.LongSupplier;
import org.agrona.collections.LongArrayQueue;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.table.ChainRoom;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.ShardTable;

/**
 * Decides whether a request has room, before it is proposed: what is committed has to be applied, and a refusal is not
 * logged. A shard with a log uses its share of the memory only, so that no other shard takes what it has counted on; a
 * {@value #SPARE_PART}th of it is spare, as a scattered heap needs, and so that a value can replace one that is no
 * shorter. Belongs to the shard's thread.
 */
final class LoggedRoom
{
    private static final int SPARE_PART = 32;
    /** An index gets memory in segments of such a part of what it has, and gives back whole ones only. */
    private static final int SEGMENT_PART = 4;
    /** What the index takes for a record, at most. */
    private static final int INDEX_BYTES = 24;
    private static final int MAX_DECIMAL_LENGTH = 20;
    /** A longer record has room for a time already. */
    private static final int MAX_WITHOUT_TIME = 4096;

    private final ShardTable table;
    private final long limit;
    private final LongSupplier indexBytes;
    private final long share;
    private final ChainRoom chains;
    private final ProposedKeys keys = new ProposedKeys();
    private final FoundRecord found = new FoundRecord();
    /** What each request may need that is on its way, in order, and the sum. */
    private final LongArrayQueue proposed = new LongArrayQueue(-1);
    private long proposedBytes;

    /**
     * @param table      of the shard.
     * @param share      of the memory that the shard may use, in bytes.
     * @param indexBytes that the index has.
     */
    LoggedRoom(final ShardTable table, final long share, final LongSupplier indexBytes)
    {
        this.table = table;
        this.indexBytes = indexBytes;
        this.share = share;
        limit = share - share / SPARE_PART;
        chains = table.chainRoom();
    }

    /** Whether a request has room, besides those on their way: OK, STORE_FULL, CHAIN_FULL, or BUSY for a moment. */
    Status check(final Request request)
    {
        if (request.kind() == RequestKind.DELETE)
        {
            return Status.OK;
        }
        if (!hasBytes(request))
        {
            return Status.STORE_FULL;
        }
        final Status chain = checkChain(request.keyHash());
        return chain == Status.CHAIN_FULL && isPresent(request) ? Status.OK : chain;
    }

    /** Whether a key's chain has room, besides all that are on their way: OK, CHAIN_FULL, or BUSY for a moment. */
    Status checkChain(final long keyHash)
    {
        final int near = keys.near(keyHash, chains.bucketCount());
        return chains.slotsLeft(keyHash) > near ? Status.OK : near > 0 ? Status.BUSY : Status.CHAIN_FULL;
    }

    /** Whether a committed request has to wait until the index gets memory. */
    boolean awaitsIndex(final Request request)
    {
        final Status status = chains.status(request.keyHash(), request.key(), request.keyLength());
        return status == Status.BUSY || status == Status.GROWTH_REFUSED;
    }

    private boolean hasBytes(final Request request)
    {
        final long needed = needed(request);
        final long all = table.heapBytesUsed() + index() + proposedBytes + needed;
        return needed == 0 || all <= limit ||
            request.kind() != RequestKind.APPEND && (!request.isPull() || all <= share) && replacesLonger(request);
    }

    /** Bytes that the index may have, also after a restart, whose segments begin and end elsewhere. */
    private long index()
    {
        final long bytes = indexBytes.getAsLong();
        return bytes + bytes / SEGMENT_PART;
    }

    private boolean replacesLonger(final Request request)
    {
        return isPresent(request) && Math.max(found.valueLength(), MAX_DECIMAL_LENGTH) >= valueLength(request);
    }

    private boolean isPresent(final Request request)
    {
        return table.find(request.keyHash(), request.key(), request.keyLength(), found);
    }

    /** A request is proposed. */
    void propose(final Request request)
    {
        propose(request.keyHash(), needed(request));
    }

    /** A value is proposed that is in its place in the heap. */
    void proposePulled(final long keyHash)
    {
        propose(keyHash, INDEX_BYTES);
    }

    private void propose(final long keyHash, final long needed)
    {
        keys.add(keyHash);
        proposed.addLong(needed);
        proposedBytes += needed;
    }

    /** The oldest request that was proposed is applied. */
    void onApplied()
    {
        if (!proposed.isEmpty())
        {
            proposedBytes -= proposed.pollLong();
            keys.removeOldest();
        }
    }

    /** Nothing is on its way. */
    void clear()
    {
        proposed.clear();
        keys.clear();
        proposedBytes = 0;
    }

    /** Most bytes that a request can need. */
    long needed(final Request request)
    {
        return request.kind() == RequestKind.DELETE ? 0 : RecordDescriptor.length(
            request.keyLength(), valueLength(request), RecordDescriptor.EXPIRY_FLAG) + INDEX_BYTES;
    }

    private long valueLength(final Request request)
    {
        return switch (request.kind())
        {
            case PUT -> request.valueLength();
            case PUT_LARGE -> request.largeValueLength();
            case INCREMENT -> MAX_DECIMAL_LENGTH;
            case APPEND -> request.valueLength() + presentLength(request);
            default -> Math.min(MAX_WITHOUT_TIME, presentLength(request));
        };
    }

    private int presentLength(final Request request)
    {
        return isPresent(request) ? found.valueLength() : 0;
    }
}
