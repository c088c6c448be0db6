package org.onesided.client.request;

import java.util.Arrays;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Resources;
import org.onesided.protocol.rpc.BatchLimits;

/**
 * The requests of a session that were not answered: for each shard a ring of slots, one for each credit, each with room
 * for a message that the device can read.
 *
 * <p>A shard's request ids are consecutive, and a request's slot follows from its id. So there are never more requests
 * under way than credits, none is further ahead of another than the server remembers, and no more SENDs are in the send
 * queue than slots in the ring: one is used again only when its request was answered <em>and</em> a completion was
 * polled that tells of its SEND.
 *
 * <pre>
 *               post            answer
 *    STAGED ---------&gt; SENT -----------&gt; FREE
 *                      |  ^
 *      session resumed v  | post
 *                     RESEND
 * </pre>
 *
 * <p>Slots belong to the session: where the server resumes it, what was not answered is sent again, byte by byte and
 * under its id, so that each takes effect once. A session that cannot be resumed gets other slots, and what these hold
 * is lost. Requests that nobody waits for any more are <em>abandoned</em>, and keep their slots until they are
 * answered.
 *
 * <p>Slots have numbers, {@code credits} for each shard that the session is for. Not thread-safe.
 */
public final class RequestSlots implements AutoCloseable
{
    /** Stands for no slot. */
    static final int NONE = -1;

    /** Receives the outcomes of writes. */
    interface Listener
    {
        /**
         * The session is another one, so that the server does not know the write.
         *
         * @param slots  that held it.
         * @param slot   in these.
         */
        void onLost(RequestSlots slots, int slot);
    }

    private static final byte FREE = 0;
    private static final byte STAGED = 1;
    private static final byte SENT = 2;
    private static final byte RESEND = 3;
    private static final long NEVER_SENT = -1;
    private static final long[] NO_CORRELATIONS = {};

    private final ServedShards served;
    private final int credits;
    private final int messageLength;
    private final boolean takesBatches;
    private final long tableId;
    private final RegisteredBuffer space;
    private final AutoCloseable memory;

    private final long stride;
    /** For each slot, the shard that its requests go to. */
    private final int[] shardOf;
    private final byte[] states;
    private final boolean[] isWrite;
    private final boolean[] isAbandoned;
    private final long[] ids;
    private final int[] lengths;
    /** For each slot, the number of the SEND that carried it last. */
    private final long[] sendNumbers;
    private final long[] correlations;
    private final long[] deadlinesNs;
    /** For each slot, how many puts its message has that further ones may join; 0 for other requests. */
    private final int[] puts;
    /** For each slot the correlations of its puts but the first; there once the first batch is asked for. */
    private long[] furtherCorrelations = NO_CORRELATIONS;

    private final long[] lastIds;
    /** For each shard, the first id that may not be posted yet. */
    private final long[] firstUnposted;
    /** For each shard, the last id that the server may have seen, over whichever attachment. */
    private final long[] lastSent;
    private final int[] abandonedCounts;
    /** For each shard, an extent that it lent for a failed lookup, or 0. */
    private final long[] owedExtents;
    private final long[] postedSends;
    private final long[] completedSends;
    /** For each shard, the id of the last signaled SEND. */
    private final long[] signaledIds;

    private int awaited = NONE;
    private int pendingWrites;

    /**
     * @param served  the shards that the session is for.
     * @param takesBatches whether a message may have several puts.
     * @param tableId of the session: a table has it as long as it lives.
     * @param space   {@link #spaceLength} bytes.
     * @param memory  closed with the slots.
     */
    RequestSlots(
        final ServedShards served,
        final int credits,
        final int messageLength,
        final boolean takesBatches,
        final long tableId,
        final RegisteredBuffer space,
        final AutoCloseable memory)
    {
        this.tableId = tableId;
        this.served = served;
        this.credits = credits;
        this.messageLength = messageLength;
        this.takesBatches = takesBatches;
        this.space = space;
        this.memory = memory;
        stride = stride(messageLength);
        final int shards = served.total();
        final int slots = served.count() * credits;
        shardOf = new int[slots];
        Arrays.setAll(shardOf, slot -> served.first() + slot / credits);
        states = new byte[slots];
        isWrite = new boolean[slots];
        isAbandoned = new boolean[slots];
        ids = new long[slots];
        lengths = new int[slots];
        sendNumbers = new long[slots];
        correlations = new long[slots];
        deadlinesNs = new long[slots];
        puts = new int[slots];
        lastIds = new long[shards];
        firstUnposted = new long[shards];
        lastSent = new long[shards];
        abandonedCounts = new int[shards];
        owedExtents = new long[shards];
        postedSends = new long[shards];
        completedSends = new long[shards];
        signaledIds = new long[shards];
        Arrays.fill(sendNumbers, NEVER_SENT);
        Arrays.fill(firstUnposted, 1);
    }

    /** Distance between two messages in bytes. */
    static long stride(final int messageLength)
    {
        return (messageLength + 63L) & -64L;
    }

    /** Bytes needed for all messages. */
    static long spaceLength(final int shards, final int credits, final int messageLength)
    {
        return stride(messageLength) * shards * credits;
    }

    /** The shards that the session is for. */
    ServedShards served()
    {
        return served;
    }

    int credits()
    {
        return credits;
    }

    /** Names the table that the requests are for, and answers come from. */
    long tableId()
    {
        return tableId;
    }

    int messageLength()
    {
        return messageLength;
    }

    /** Whether a message may have several puts. */
    boolean takesBatches()
    {
        return takesBatches;
    }

    /** Number of slots. */
    int count()
    {
        return states.length;
    }

    /** The shard that a slot's requests go to. */
    int shardOf(final int slot)
    {
        return shardOf[slot];
    }

    /** Address of a slot's message, with room for the maximum length. */
    long address(final int slot)
    {
        return space.addressOf(stride * slot, messageLength);
    }

    int localKey()
    {
        return space.localKey();
    }

    int length(final int slot)
    {
        return lengths[slot];
    }

    /** The slot for a shard's next request, or {@link #NONE} while there is none. */
    int next(final int shard)
    {
        final long id = lastIds[shard] + 1;
        final int slot = slotOf(shard, id);
        return states[slot] == FREE && sendNumbers[slot] < completedSends[shard] &&
            id - firstUnposted[shard] < credits ? slot : NONE;
    }

    /** Id of the next request to a shard. */
    long nextId(final int shard)
    {
        return lastIds[shard] + 1;
    }

    /** A request was written to the shard's next slot, under the next id. */
    void stage(final int slot, final int length, final boolean asWrite)
    {
        ids[slot] = ++lastIds[shardOf(slot)];
        states[slot] = STAGED;
        lengths[slot] = length;
        isWrite[slot] = asWrite;
        isAbandoned[slot] = false;
        puts[slot] = 0;
        if (asWrite)
        {
            pendingWrites++;
        }
    }

    /** Lets other puts join the one that was staged in a slot. */
    void open(final int slot)
    {
        reserveBatches();
        puts[slot] = 1;
    }

    private void reserveBatches()
    {
        if (furtherCorrelations.length == 0)
        {
            furtherCorrelations = new long[states.length * BatchLimits.MAX_PUTS];
        }
    }

    /**
     * The slot of a shard's latest request if other puts may join it, else {@link #NONE}. What the server may have is
     * sent again as it was, so none may join a request that was sent. After this {@link #open} and {@link #join} need
     * no memory, so that they cannot fail once a message is written.
     */
    int openBatch(final int shard)
    {
        reserveBatches();
        final long id = lastIds[shard];
        final int slot = id < firstUnposted[shard] ? NONE : slotOf(shard, id);
        return slot != NONE && ids[slot] == id && states[slot] == STAGED && puts[slot] > 0 ? slot : NONE;
    }

    /** Number of puts of a batch, at least 2; of another request 0 or 1. */
    int puts(final int slot)
    {
        return puts[slot];
    }

    /** A put was written behind those of an open batch; the message has this length now. */
    void join(final int slot, final int length, final long correlation)
    {
        lengths[slot] = length;
        furtherCorrelations[slot * BatchLimits.MAX_PUTS + puts[slot]] = correlation;
        puts[slot]++;
    }

    /** Correlation of one of the puts of a batch, from 0. */
    long correlation(final int slot, final int put)
    {
        return put == 0 ? correlations[slot] : furtherCorrelations[slot * BatchLimits.MAX_PUTS + put];
    }

    /** Marks the request that the session awaits, doing nothing else meanwhile. */
    void await(final int slot)
    {
        awaited = slot;
    }

    /** The awaited request, or {@link #NONE}. */
    int awaited()
    {
        return awaited;
    }

    boolean isWrite(final int slot)
    {
        return isWrite[slot];
    }

    /** Sets correlation and deadline of a write. */
    void correlate(final int slot, final long correlation, final long deadlineNs)
    {
        correlations[slot] = correlation;
        deadlinesNs[slot] = deadlineNs;
    }

    long correlation(final int slot)
    {
        return correlations[slot];
    }

    long deadlineNs(final int slot)
    {
        return deadlinesNs[slot];
    }

    /** Whether a slot holds a write that was not abandoned and has no outcome. */
    boolean isPendingWrite(final int slot)
    {
        return states[slot] != FREE && isWrite[slot] && !isAbandoned[slot];
    }

    /** Whether the server may have received the request. */
    boolean wasSent(final int slot)
    {
        return states[slot] == SENT || states[slot] == RESEND;
    }

    /** Whether any write is unanswered or unsent, and not abandoned. */
    boolean hasPendingWrites()
    {
        return pendingWrites > 0;
    }

    boolean hasAbandoned(final int shard)
    {
        return abandonedCounts[shard] > 0;
    }

    /** Whether the request in a slot was abandoned. */
    boolean isAbandoned(final int slot)
    {
        return isAbandoned[slot];
    }

    /** The first id that may not be posted yet. */
    long firstUnposted(final int shard)
    {
        return firstUnposted[shard];
    }

    long lastId(final int shard)
    {
        return lastIds[shard];
    }

    /** The slot of the request with that id if it must be posted now, else {@link #NONE}. */
    int toPost(final int shard, final long id)
    {
        final int slot = slotOf(shard, id);
        return ids[slot] == id && (states[slot] == RESEND || states[slot] == STAGED) ? slot : NONE;
    }

    /** Whether a request must wait for the answers to earlier abandoned requests. */
    boolean isHeldBack(final int slot)
    {
        return states[slot] == STAGED && abandonedCounts[shardOf(slot)] > 0;
    }

    /** Whether any staged request need not wait. */
    boolean canPost()
    {
        for (int shard = served.first(); shard < served.end(); shard++)
        {
            if (lastIds[shard] >= firstUnposted[shard] && abandonedCounts[shard] == 0)
            {
                return true;
            }
        }
        return false;
    }

    /** Number of SENDs posted to a shard over this attachment. */
    long postedSends(final int shard)
    {
        return postedSends[shard];
    }

    /**
     * Whether the SEND of a request, which is posted next, is to tell of its completion. SENDs complete in order, so it
     * tells of those before as well. Ids count here and not SENDs, since slots are used again by id: of ids that were
     * taken back there are no SENDs, and between two uses of a slot one must tell.
     */
    boolean signals(final int slot)
    {
        final int shard = shardOf(slot);
        final boolean isDue = ids[slot] - signaledIds[shard] >= Math.max(1, credits / 2);
        if (isDue)
        {
            signaledIds[shard] = ids[slot];
        }
        return isDue;
    }

    /** A request was posted. The server may have it from now on. */
    void posted(final int slot)
    {
        final int shard = shardOf(slot);
        states[slot] = SENT;
        sendNumbers[slot] = postedSends[shard]++;
        lastSent[shard] = Math.max(lastSent[shard], ids[slot]);
        firstUnposted[shard] = ids[slot] + 1;
        // Behind a request that is sent again there are others that were answered.
        while (firstUnposted[shard] <= lastSent[shard] && toPost(shard, firstUnposted[shard]) == NONE)
        {
            firstUnposted[shard]++;
        }
    }

    /**
     * A completion was polled; SENDs complete in order, so it tells of all before.
     *
     * @return whether such a SEND was outstanding.
     */
    boolean completed(final int shard, final long sendNumber)
    {
        if (!served.contains(shard) || sendNumber < completedSends[shard] || sendNumber >= postedSends[shard])
        {
            return false;
        }
        completedSends[shard] = sendNumber + 1;
        return true;
    }

    /** The slot of the unanswered request that was sent with an id, or {@link #NONE}. */
    int find(final int shard, final long id)
    {
        if (!served.contains(shard) || id < 1 || id > lastIds[shard])
        {
            return NONE;
        }
        final int slot = slotOf(shard, id);
        return ids[slot] == id && states[slot] == SENT ? slot : NONE;
    }

    /** A valid answer came. */
    void answered(final int slot)
    {
        if (isAbandoned[slot])
        {
            abandonedCounts[shardOf(slot)]--;
        }
        else if (isWrite[slot])
        {
            pendingWrites--;
        }
        states[slot] = FREE;
        if (slot == awaited)
        {
            awaited = NONE;
        }
    }

    /** Abandons a request. If it was not sent, it is withdrawn. */
    void abandon(final int slot)
    {
        if (slot == awaited)
        {
            awaited = NONE;
        }
        if (isWrite[slot])
        {
            pendingWrites--;
        }
        final int shard = shardOf(slot);
        if (wasSent(slot))
        {
            isAbandoned[slot] = true;
            abandonedCounts[shard]++;
            return;
        }
        states[slot] = FREE;
        // The number of unsent ids must not exceed the server's window. An id that was sent is never used again.
        while (lastIds[shard] > lastSent[shard] && toPost(shard, lastIds[shard]) == NONE)
        {
            lastIds[shard]--;
        }
    }

    /** Abandons the awaited request, if there is one. */
    void abandonAwaited()
    {
        if (awaited != NONE)
        {
            abandon(awaited);
        }
    }

    /** The attachment was lost. An awaited lookup is abandoned, because it is repeated. */
    void detached()
    {
        if (awaited != NONE && !isWrite[awaited])
        {
            abandon(awaited);
        }
    }

    /**
     * The server resumed the session over another attachment. Unanswered requests must be posted again.
     *
     * @param isSameMemory whether extents that the server lent are still there.
     */
    void resumed(final boolean isSameMemory)
    {
        if (!isSameMemory)
        {
            // Another record may be at this place of the new memory.
            Arrays.fill(owedExtents, 0);
        }
        Arrays.fill(sendNumbers, NEVER_SENT);
        Arrays.fill(postedSends, 0);
        Arrays.fill(completedSends, 0);
        for (int slot = 0; slot < states.length; slot++)
        {
            if (states[slot] == SENT)
            {
                states[slot] = RESEND;
                final int shard = shardOf(slot);
                firstUnposted[shard] = Math.min(firstUnposted[shard], ids[slot]);
            }
        }
        for (int shard = served.first(); shard < served.end(); shard++)
        {
            signaledIds[shard] = firstUnposted[shard] - 1;
        }
    }

    /** Reports all writes that are lost with these slots to the listener. */
    void lose(final Listener listener)
    {
        for (int slot = 0; slot < states.length; slot++)
        {
            if (isPendingWrite(slot))
            {
                listener.onLost(this, slot);
            }
        }
    }

    /**
     * An extent is not read after all: it goes back before the next request to its shard.
     *
     * @param shard  that lent it.
     * @param extent or 0.
     */
    public void owe(final int shard, final long extent)
    {
        owedExtents[shard] = extent;
    }

    long owedExtent(final int shard)
    {
        return owedExtents[shard];
    }

    /** Frees the memory. The states of requests can still be read. */
    @Override
    public void close()
    {
        Resources.closeQuietly(memory);
    }

    private int slotOf(final int shard, final long id)
    {
        return (shard - served.first()) * credits + (int)((id - 1) % credits);
    }
}
