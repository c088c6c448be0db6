package org.onesided.client.request;

import java.util.Arrays;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Resources;

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

    private final ServedShards served;
    private final int credits;
    private final boolean takesBatches;
    private final long tableId;
    private final AutoCloseable memory;
    private final MessageSpace messages;
    private final SendCounts sends;
    private final Correlations correlations;
    private final OwedExtents owed;

    /** For each slot, the shard that its requests go to. */
    private final int[] shardOf;
    private final byte[] states;
    private final boolean[] isWrite;
    private final boolean[] isAbandoned;
    private final long[] ids;
    private final int[] lengths;

    private final long[] lastIds;
    /** For each shard, the first id that may not be posted yet. */
    private final long[] firstUnposted;
    /** For each shard, the last id that the server may have seen, over whichever attachment. */
    private final long[] lastSent;
    private final int[] abandonedCounts;

    private int awaited = NONE;
    private int pendingWrites;

    /**
     * @param served  the shards that the session is for.
     * @param takesBatches whether a message may have several puts.
     * @param tableId of the session: a table has it as long as it lives.
     * @param space   {@link MessageSpace#length} bytes.
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
        this.takesBatches = takesBatches;
        this.memory = memory;
        final int shards = served.total();
        final int slots = served.count() * credits;
        shardOf = new int[slots];
        Arrays.setAll(shardOf, slot -> served.first() + slot / credits);
        states = new byte[slots];
        isWrite = new boolean[slots];
        isAbandoned = new boolean[slots];
        ids = new long[slots];
        lengths = new int[slots];
        lastIds = new long[shards];
        firstUnposted = new long[shards];
        lastSent = new long[shards];
        abandonedCounts = new int[shards];
        Arrays.fill(firstUnposted, 1);
        messages = new MessageSpace(space, messageLength);
        sends = new SendCounts(served, credits);
        correlations = new Correlations(slots);
        owed = new OwedExtents(shards);
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

    /** Memory of the slots' messages. */
    MessageSpace messages()
    {
        return messages;
    }

    /** The SENDs of the requests over the present attachment. */
    SendCounts sends()
    {
        return sends;
    }

    /** What the owner of the writes knows them by. */
    Correlations correlations()
    {
        return correlations;
    }

    /**
     * @return extents that go back to their shards before the next requests.
     */
    public OwedExtents owed()
    {
        return owed;
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

    int length(final int slot)
    {
        return lengths[slot];
    }

    /** The slot for a shard's next request, or {@link #NONE} while there is none. */
    int next(final int shard)
    {
        final long id = lastIds[shard] + 1;
        final int slot = slotOf(shard, id);
        return states[slot] == FREE && sends.isComplete(shard, slot) &&
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
        correlations.renew(slot);
        if (asWrite)
        {
            pendingWrites++;
        }
    }

    /**
     * The slot of a shard's latest request if other puts may join it, else {@link #NONE}. What the server may have is
     * sent again as it was, so none may join a request that was sent. After this {@link Correlations#open} and
     * {@link #join} need no memory, so that they cannot fail once a message is written.
     */
    int openBatch(final int shard)
    {
        correlations.reserve();
        final long id = lastIds[shard];
        final int slot = id < firstUnposted[shard] ? NONE : slotOf(shard, id);
        return slot != NONE && ids[slot] == id && states[slot] == STAGED && correlations.isOpen(slot) ? slot : NONE;
    }

    /** A put was written behind those of an open batch; the message has this length now. */
    void join(final int slot, final int length, final long correlation)
    {
        lengths[slot] = length;
        correlations.join(slot, correlation);
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

    /** A request was posted. The server may have it from now on. */
    void posted(final int slot)
    {
        final int shard = shardOf(slot);
        states[slot] = SENT;
        sends.post(shard, slot);
        lastSent[shard] = Math.max(lastSent[shard], ids[slot]);
        firstUnposted[shard] = ids[slot] + 1;
        // Behind a request that is sent again there are others that were answered.
        while (firstUnposted[shard] <= lastSent[shard] && toPost(shard, firstUnposted[shard]) == NONE)
        {
            firstUnposted[shard]++;
        }
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
            owed.forget();
        }
        sends.restart();
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
            sends.resume(shard, firstUnposted[shard]);
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
