package org.onesided.server.shard.proposal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;
import org.onesided.protocol.table.SlotWord;
import org.onesided.server.log.ItemKind;
import org.onesided.server.table.Evictions;
import org.onesided.server.table.LeavingRecords;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.Victims;

/**
 * Lets records leave by way of the log: those that the policy chooses are proposed, and leave when that is applied.
 * The policy and its random numbers have no part in what is applied, so a log gives the same table again. Belongs to
 * the shard's thread.
 *
 * <p>The bytes of records on their way out count as free for what is proposed behind them. A record that is written,
 * deleted or expires meanwhile is no longer one of them: its bytes are free already, or another record has them.
 */
public final class LoggedEvictions implements LeavingRecords
{
    /** Cost of a victim, in granules of its length. */
    private static final long VICTIM_COST = 200;
    /** Cost of looking for one in vain: most buckets are empty where long records took the place of many. */
    private static final long MISS_COST = 1 << 13;
    /** What victims may cost in a round: some 600 for requests that go on at once, and some 300 for one that waits. */
    private static final long BUDGET = 1 << 17;
    private static final long WAITING_BUDGET = 1 << 16;
    private static final long ABSENT = -1;

    private final Evictions evictions;
    /** Null if no record leaves. */
    private final Victims victims;
    private final Proposals proposals;
    /** Bytes of records on their way out, by the hashes of their keys. */
    private final Long2LongHashMap leaving = new Long2LongHashMap(ABSENT);
    /** Their versions: of a key that was written, an earlier removal may be still on its way. */
    private final Long2LongHashMap versions = new Long2LongHashMap(ABSENT);
    private final LongArrayList chosen = new LongArrayList();
    private long leavingBytes;
    private long proposedCount;
    private long appliedCount;
    private long budget = BUDGET;
    private long waitingBudget = WAITING_BUDGET;
    private boolean hasMissed;

    /**
     * @param table     of the shard.
     * @param proposals to its log.
     */
    public LoggedEvictions(final ShardTable table, final Proposals proposals)
    {
        this.proposals = proposals;
        evictions = table.evictions();
        victims = evictions.victims();
        evictions.leaving(this);
    }

    /** Whether records leave when there is no room. */
    boolean areOn()
    {
        return victims != null;
    }

    /** Bytes of the records on their way out. */
    long leavingBytes()
    {
        return leavingBytes;
    }

    /** A round of the shard begins. */
    void nextRound()
    {
        budget = BUDGET;
        waitingBudget = WAITING_BUDGET;
        hasMissed = false;
    }

    /**
     * Proposes that records leave, as many as a round may propose.
     *
     * @param bytes    that they should have.
     * @param isAtOnce whether a request is to be proposed behind them; if not, they are for one that waits.
     */
    void propose(final long bytes, final boolean isAtOnce)
    {
        long found = 0;
        while (found < bytes && (isAtOnce ? budget : waitingBudget) > 0)
        {
            final boolean isChosen = victims.choose();
            final long length = isChosen ? add() : 0;
            found += length;
            final long cost = isChosen ? VICTIM_COST + length / SlotWord.GRANULE : MISS_COST;
            budget -= isAtOnce ? cost : 0;
            waitingBudget -= isAtOnce ? 0 : cost;
        }
        hasMissed = found < bytes;
        proposeChosen(ItemKind.FOR_HEAP);
    }

    /** Whether records were looked for in the present round, and too few found: the next one looks elsewhere. */
    boolean hasMissed()
    {
        return hasMissed;
    }

    /** Proposes that a record leaves the chain of a key; whether that was done. */
    boolean proposeFromChain(final long keyHash)
    {
        if (victims.chooseFromChain(keyHash))
        {
            add();
        }
        return proposeChosen(ItemKind.FOR_INDEX);
    }

    /** How many items were proposed. */
    long proposedCount()
    {
        return proposedCount;
    }

    /** How many of these were applied, or lost. */
    long appliedCount()
    {
        return appliedCount;
    }

    private long add()
    {
        final long hash = victims.hash();
        final long bytes = victims.length();
        chosen.addLong(hash);
        chosen.addLong(victims.version());
        leaving.put(hash, bytes);
        versions.put(hash, victims.version());
        leavingBytes += bytes;
        return bytes;
    }

    private boolean proposeChosen(final long cause)
    {
        final boolean isAny = !chosen.isEmpty();
        if (isAny)
        {
            proposals.addEvictions(cause, chosen);
            chosen.clear();
            proposedCount++;
        }
        return isAny;
    }

    /**
     * Removes records, as the body of an item says.
     *
     * @param entry  holds the item.
     * @param body   where the item's body begins.
     * @param length of the body in bytes.
     * @param isOwn  whether the shard has proposed it.
     * @return whether the item could be read; if not, nothing was done.
     */
    public boolean apply(final DirectBuffer entry, final int body, final int length, final boolean isOwn)
    {
        final int end = body + length;
        int at = body + ItemKind.EVICT_HEADER_LENGTH;
        if (at > end || (end - at) % ItemKind.EVICTED_LENGTH != 0)
        {
            return false;
        }
        final long cause = entry.getLong(body, LITTLE_ENDIAN);
        if (cause != ItemKind.FOR_HEAP && cause != ItemKind.FOR_INDEX)
        {
            return false;
        }
        for (; at < end; at += ItemKind.EVICTED_LENGTH)
        {
            final long hash = entry.getLong(at, LITTLE_ENDIAN);
            final long version = entry.getLong(at + Long.BYTES, LITTLE_ENDIAN);
            evictions.remove(hash, version, cause == ItemKind.FOR_INDEX);
            if (isOwn && versions.get(hash) == version)
            {
                onGone(hash);
            }
        }
        appliedCount += isOwn ? 1 : 0;
        return true;
    }

    /** Nothing is on its way, or nobody knows what is. */
    void clear()
    {
        leaving.clear();
        versions.clear();
        leavingBytes = 0;
        appliedCount = proposedCount;
    }

    @Override
    public boolean contains(final long hash)
    {
        return leaving.containsKey(hash);
    }

    @Override
    public void onGone(final long hash)
    {
        if (!leaving.isEmpty())
        {
            leavingBytes -= Math.max(0, leaving.remove(hash));
            versions.remove(hash);
        }
    }
}
