package org.onesided.server.shard.proposal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.server.log.EntryDescriptor;
import org.onesided.server.log.ItemKind;
import org.onesided.server.log.ShardLog;

/**
 * What a shard proposes to its log. Items are collected until the round ends; then they are one entry. While
 * {@value #MAX_OUTSTANDING} entries are on their way, items of the next rounds are collected in one more: so entries
 * get longer when the log is slow, and one force of the disk serves more requests. Belongs to the shard's thread.
 *
 * <p>Requests ask {@link #isFull} before: those of a session are bounded by its credits, but sessions come and go.
 * Pieces of long values ask {@link #hasRoom}.
 */
public final class Proposals
{
    /** Entries that are proposed at a time. One is written while the one before is forced to the disk. */
    private static final int MAX_OUTSTANDING = 4;
    /** Entries that pieces of long values fill ahead of the log. */
    private static final int MAX_AHEAD = 4;
    /** Entries that are collected at most while the log is slow: about 60 MiB. */
    private static final int MAX_COLLECTED = 64;
    /** Unused entries that are kept. */
    private static final int MAX_IDLE = MAX_AHEAD;

    private static final long NONE = -1;

    private final ShardLog log;
    private final long life;
    private final LongSupplier clock;
    private final LoggedTime applied;
    private final long defaultTtlMs;
    private final boolean isHandedOverDurable;
    /** Entries that are full, and that the log has not taken yet. */
    private final ArrayDeque<Draft> full = new ArrayDeque<>();
    private final ArrayDeque<Draft> idle = new ArrayDeque<>();
    private Draft draft = new Draft();
    private int outstanding;
    private long durableIndex = NONE;
    private long timeMs;
    private boolean isOpen;
    private boolean isReleased;
    private long generation;

    /**
     * @param log     of the shard.
     * @param life    of the shard.
     * @param clock   the shard's.
     * @param applied time of the entry that was applied last.
     * @param ttlMs   of keys whose puts say nothing about it.
     * @param durable whether what the log hands over is on the disk.
     */
    public Proposals(
        final ShardLog log,
        final long life,
        final LongSupplier clock,
        final LoggedTime applied,
        final long ttlMs,
        final boolean durable)
    {
        isHandedOverDurable = durable;
        defaultTtlMs = ttlMs;
        this.log = log;
        this.life = life;
        this.clock = clock;
        this.applied = applied;
    }

    /**
     * @return life of the shard, by which it knows its own entries again.
     */
    public long life()
    {
        return life;
    }

    /**
     * @return whether the log takes proposals.
     */
    public boolean isOpen()
    {
        return isOpen;
    }

    /**
     * @return a number that grows each time that proposals begin: what was proposed in an earlier generation is
     *         committed, or lost.
     */
    public long generation()
    {
        return generation;
    }

    /** Begins to propose. Nothing that was proposed before is on its way any more. */
    public void begin()
    {
        isOpen = true;
        isReleased = false;
        generation++;
        outstanding = 0;
        final int body = beginItem(ItemKind.BEGIN, 0, Long.BYTES);
        draft.buffer.putLong(body, defaultTtlMs, LITTLE_ENDIAN);
    }

    /** Adds RELEASE, and takes nothing behind it until proposals begin anew. */
    public void release()
    {
        add(ItemKind.RELEASE, 0);
        isReleased = true;
    }

    /** Stops proposing, and drops what the log has not taken. */
    public void stop()
    {
        isOpen = false;
        isReleased = false;
        full.forEach(this::keep);
        full.clear();
        draft.clear();
    }

    /** Whether there is room for pieces of long values. */
    boolean hasRoom()
    {
        return full.size() < MAX_AHEAD && !isReleased;
    }

    /**
     * @return whether so much is collected that further requests have to wait, or they have to wait for another leader.
     */
    public boolean isFull()
    {
        return full.size() >= MAX_COLLECTED || isReleased;
    }

    /** The memory of those that are not kept is freed with the garbage. */
    private void keep(final Draft unused)
    {
        if (idle.size() < MAX_IDLE)
        {
            idle.add(unused);
        }
    }

    /**
     * @return whether nothing is on its way, or waits to be.
     */
    public boolean isIdle()
    {
        return outstanding == 0 && full.isEmpty() && draft.isEmpty();
    }

    /**
     * @return whether no items wait to be proposed.
     */
    public boolean isBare()
    {
        return full.isEmpty() && draft.length == EntryDescriptor.HEADER_LENGTH;
    }

    /**
     * Adds an item without a body.
     *
     * @param kind    of the item.
     * @param session that it is about; 0 for none.
     */
    public void add(final ItemKind kind, final long session)
    {
        beginItem(kind, session, 0);
    }

    /**
     * Adds a request.
     *
     * @param session of the request.
     * @param message of the request, which is copied.
     */
    public void addWrite(final long session, final DirectBuffer message)
    {
        final int body = beginItem(ItemKind.WRITE, session, message.capacity());
        draft.buffer.putBytes(body, message, 0, message.capacity());
    }

    /** Adds a piece of a long value. */
    void addPart(
        final long session,
        final long requestId,
        final long offset,
        final long whole,
        final long piece,
        final int length)
    {
        final int body = beginItem(ItemKind.VALUE_PART, session, ItemKind.PART_HEADER_LENGTH + length);
        draft.buffer.putLong(body, requestId, LITTLE_ENDIAN);
        draft.buffer.putLong(body + Long.BYTES, offset, LITTLE_ENDIAN);
        draft.buffer.putLong(body + 2 * Long.BYTES, whole, LITTLE_ENDIAN);
        UnsafeApi.copyMemory(piece, draft.buffer.addressOffset() + body + ItemKind.PART_HEADER_LENGTH, length);
    }

    /** Adds the removal of records, each given by the hash of its key and its version. */
    void addEvictions(final long cause, final LongArrayList records)
    {
        int at = beginItem(ItemKind.EVICT, 0, ItemKind.EVICT_HEADER_LENGTH + records.size() * Long.BYTES);
        draft.buffer.putLong(at, cause, LITTLE_ENDIAN);
        at += ItemKind.EVICT_HEADER_LENGTH;
        for (int i = 0; i < records.size(); i++)
        {
            draft.buffer.putLong(at + i * Long.BYTES, records.getLong(i), LITTLE_ENDIAN);
        }
    }

    /** Longest piece that {@link #addPart} takes without beginning another entry; 0 if none fits. */
    int roomForPart()
    {
        return draft.buffer.capacity() - draft.length - EntryDescriptor.ITEM_HEADER_LENGTH -
            ItemKind.PART_HEADER_LENGTH - EntryDescriptor.ITEM_ALIGNMENT;
    }

    private int beginItem(final ItemKind kind, final long session, final int bodyLength)
    {
        final int length = EntryDescriptor.ITEM_HEADER_LENGTH + BitUtil.align(
            bodyLength, EntryDescriptor.ITEM_ALIGNMENT);
        if (length > draft.buffer.capacity() - draft.length)
        {
            full.add(draft);
            draft = idle.isEmpty() ? new Draft() : idle.poll();
            draft.clear();
        }
        final int item = draft.length;
        draft.length += length;
        // Also clears what is between the body's end and the next item.
        draft.buffer.putLong(item + length - Long.BYTES, 0);
        draft.buffer.putInt(item + EntryDescriptor.ITEM_KIND_OFFSET, kind.code(), LITTLE_ENDIAN);
        draft.buffer.putInt(item + EntryDescriptor.ITEM_LENGTH_OFFSET, bodyLength, LITTLE_ENDIAN);
        draft.buffer.putLong(item + EntryDescriptor.ITEM_SESSION_OFFSET, session, LITTLE_ENDIAN);
        return item + EntryDescriptor.ITEM_HEADER_LENGTH;
    }

    /** Lets the shard's time go on although nothing else is proposed, if no entry with a later time is on its way. */
    public void tick()
    {
        if (isOpen && isIdle() && !isReleased)
        {
            draft.isWanted = true;
        }
    }

    /** An entry is wanted by the end of the round, even without items. */
    public void want()
    {
        draft.isWanted |= isOpen && !isReleased;
    }

    /**
     * Proposes what was collected, as far as the log takes it.
     *
     * @return how many entries were proposed.
     */
    public int flush()
    {
        int count = 0;
        while (isOpen && outstanding < MAX_OUTSTANDING && (!full.isEmpty() || !draft.isEmpty()))
        {
            final Draft next = full.isEmpty() ? draft : full.peek();
            writeHeader(next);
            if (!log.tryPropose(next.buffer, 0, next.length))
            {
                return count;
            }
            outstanding++;
            count++;
            next.clear();
            if (next != draft)
            {
                keep(full.remove());
            }
        }
        return count;
    }

    /**
     * Proposes an entry without items to a log that has room for no others.
     *
     * @return whether the log has taken it.
     */
    public boolean tryProve()
    {
        writeHeader(draft);
        return log.tryProve(draft.buffer, 0, EntryDescriptor.HEADER_LENGTH);
    }

    private void writeHeader(final Draft next)
    {
        timeMs = Math.max(Math.max(timeMs, applied.getAsLong()), clock.getAsLong());
        EntryDescriptor.writeHeader(next.buffer, 0, timeMs, life, durableIndex);
    }

    /**
     * @return whether entries wait because the log takes no more for now.
     */
    public boolean isHeldUp()
    {
        return isOpen && outstanding == 0 && !isIdle();
    }

    /**
     * An entry was handed over.
     *
     * @param index of the entry.
     * @param isOwn whether this shard has proposed it.
     */
    public void onCommitted(final long index, final boolean isOwn)
    {
        durableIndex = isHandedOverDurable ? index : NONE;
        if (isOwn && outstanding > 0)
        {
            outstanding--;
        }
    }

    /** An entry to be. */
    private static final class Draft
    {
        private final UnsafeBuffer buffer = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(ShardLog.MAX_ENTRY_LENGTH, Long.BYTES));
        private int length = EntryDescriptor.HEADER_LENGTH;
        /** Whether the entry is proposed even without items. */
        private boolean isWanted;

        boolean isEmpty()
        {
            return length == EntryDescriptor.HEADER_LENGTH && !isWanted;
        }

        void clear()
        {
            length = EntryDescriptor.HEADER_LENGTH;
            isWanted = false;
        }
    }
}
