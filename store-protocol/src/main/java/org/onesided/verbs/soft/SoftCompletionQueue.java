package org.onesided.verbs.soft;

import static org.onesided.verbs.CompletionDescriptor.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Context;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * A ring of completions. Polling also makes progress for the queue pairs.
 */
public final class SoftCompletionQueue implements SoftCompletionChannel.Member, Owned
{
    /**
     * A queue pair whose completions come here.
     */
    interface Source
    {
        /**
         * Makes progress if there is something to do. For a thread that holds this queue's polling lock.
         */
        void progress();

        /**
         * Tells the peer what to wake this side for now.
         */
        void refreshArmed();

        /**
         * @return nanoseconds until the next retry.
         */
        long waitLeftNs(long nowNs);
    }

    /** Not armed. */
    static final int DISARMED = 0;
    /** Armed for solicited receives and errors. */
    static final int ARMED_SOLICITED = 1;
    /** Armed for any completion. */
    static final int ARMED_ANY = 2;

    /** Position up to which the poll of this completion frees the send queue; 0 for receives. */
    private static final int FREE_OFFSET = LENGTH;
    private static final int MAX_POLLS_WITHOUT_PROGRESS = 8;
    /** The queue pairs have not just made progress, or somebody has relied on that already. */
    private static final int NOT_FRESH = 0;
    /** They have just made progress: a wait may begin without. */
    private static final int FRESH_FOR_WAIT = 1;
    /** They have just made progress: a poll, and then a wait, may do without. */
    private static final int FRESH_FOR_POLL = 2;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int STRIDE = BitUtil.CACHE_LINE_LENGTH;
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static
    {
        try
        {
            HEAD = MethodHandles.lookup().findVarHandle(SoftCompletionQueue.class, "head", long.class);
            TAIL = MethodHandles.lookup().findVarHandle(SoftCompletionQueue.class, "tail", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final Context context;
    private final UseCount contextUses;
    private final Consumer<AsyncEvent> events;
    private final SoftCompletionChannel channel;
    private final int capacity;
    private final int mask;
    private final NativeArray memory;
    private final long base;
    /** The send queue of the queue pair whose completion it is. */
    private final SendQueue[] owners;
    /** Held while completions are removed and progress is made. No queue pair disappears for its holder. */
    private final SpinLock polling = new SpinLock();
    /** Held while a completion is added. */
    private final SpinLock adding = new SpinLock();
    private final UseCount uses = new UseCount("destroy_cq", "the completion queue");
    private volatile Source[] queuePairs = {};
    private volatile boolean broken;
    private volatile boolean closed;
    private volatile int armed;
    private int unacknowledgedEvents;
    private int pollsWithoutProgress;
    /** Guarded by {@link #polling}. */
    private int freshness;
    private long head;
    private long tail;

    /**
     * @param context     it belongs to.
     * @param contextUses counts the objects of the context; one use for this object is acquired already.
     * @param events      raises asynchronous events.
     * @param channel     for completion events, or null.
     */
    SoftCompletionQueue(
        final Context context,
        final UseCount contextUses,
        final Consumer<AsyncEvent> events,
        final int capacity,
        final SoftCompletionChannel channel)
    {
        this.context = context;
        this.contextUses = contextUses;
        this.events = events;
        this.capacity = capacity;
        this.channel = channel;
        final int slots = BitUtil.findNextPositivePowerOfTwo(capacity);
        mask = slots - 1;
        memory = new NativeArray((long)slots * STRIDE);
        base = memory.range().address();
        owners = new SendQueue[slots];
    }

    @Override
    public Context context()
    {
        return context;
    }

    @Override
    public int capacity()
    {
        return capacity;
    }

    @Override
    public int poll(final long address, final int count)
    {
        if (count < 0)
        {
            return -Errno.EINVAL;
        }
        polling.acquire();
        try
        {
            if (closed)
            {
                return -Errno.EINVAL;
            }
            long position = head;
            // Return existing completions without polling the queue pairs, which are never skipped for long.
            if (position == (long)TAIL.getAcquire(this) || ++pollsWithoutProgress == MAX_POLLS_WITHOUT_PROGRESS)
            {
                pollsWithoutProgress = 0;
                if (freshness == FRESH_FOR_POLL)
                {
                    freshness = FRESH_FOR_WAIT;
                }
                else
                {
                    progressAll();
                }
            }
            final long end = (long)TAIL.getAcquire(this);
            int taken = 0;
            for (; taken < count && position != end; taken++, position++)
            {
                final int slot = (int)position & mask;
                final long entry = base + (long)slot * STRIDE;
                final long target = address + (long)taken * LENGTH;
                for (int i = 0; i < LENGTH; i += Long.BYTES)
                {
                    UnsafeApi.putLong(target + i, UnsafeApi.getLong(entry + i));
                }
                final long freeUpTo = UnsafeApi.getLong(entry + FREE_OFFSET);
                if (freeUpTo != 0)
                {
                    owners[slot].free(freeUpTo);
                }
                // Otherwise a destroyed queue pair would stay reachable until the slot is reused.
                owners[slot] = null;
            }
            HEAD.setRelease(this, position);
            return taken == 0 && broken && count > 0 ? -Errno.EIO : taken;
        }
        finally
        {
            polling.release();
        }
    }

    @Override
    public int requestNotify(final boolean solicitedOnly)
    {
        if (channel == null || closed)
        {
            return Errno.EINVAL;
        }
        polling.acquire();
        try
        {
            if (channel.progressesByItself())
            {
                // Nothing is lost if neither this nor the poll and the wait that usually follow make progress, a system
                // call each per queue pair: what has come, or comes meanwhile, ends the wait at once.
                // A caller that arms and polls in turn, and never waits, looks at every second poll.
                freshness = freshness == NOT_FRESH ? FRESH_FOR_POLL : freshness;
            }
            else
            {
                // Completions that have arrived by now count as present before the arming.
                progressAll();
            }
        }
        finally
        {
            polling.release();
        }
        adding.acquire();
        armed = solicitedOnly && armed != ARMED_ANY ? ARMED_SOLICITED : ARMED_ANY;
        adding.release();
        publishArmed();
        return 0;
    }

    @Override
    public void acknowledgeEvents(final int count)
    {
        if (channel != null)
        {
            channel.acknowledge(this, count);
        }
    }

    @Override
    public void close()
    {
        if (channel != null && channel.hasUnacknowledged(this))
        {
            throw new VerbsException("destroy_cq", Errno.EBUSY,
                "events of the completion queue are not acknowledged, acknowledge them first");
        }
        if (uses.close())
        {
            polling.acquire();
            closed = true;
            polling.release();
            if (channel != null)
            {
                channel.remove(this);
                channel.uses().release();
            }
            memory.close();
            contextUses.release();
        }
    }

    /**
     * @return where events go, or null.
     */
    public CompletionChannel channel()
    {
        return channel;
    }

    /**
     * @return what completions it is armed for: {@link #DISARMED}, {@link #ARMED_SOLICITED} or {@link #ARMED_ANY}.
     */
    int armed()
    {
        return armed;
    }

    boolean isBroken()
    {
        return broken;
    }

    @Override
    public int unacknowledgedEvents()
    {
        return unacknowledgedEvents;
    }

    @Override
    public void unacknowledgedEvents(final int count)
    {
        unacknowledgedEvents = count;
    }

    UseCount uses()
    {
        return uses;
    }

    void add(final Source queuePair)
    {
        uses.acquire();
        polling.acquire();
        final List<Source> all = new ArrayList<>(List.of(queuePairs));
        all.add(queuePair);
        queuePairs = all.toArray(Source[]::new);
        polling.release();
    }

    void remove(final Source queuePair)
    {
        polling.acquire();
        final List<Source> all = new ArrayList<>(List.of(queuePairs));
        all.remove(queuePair);
        queuePairs = all.toArray(Source[]::new);
        polling.release();
        uses.release();
    }

    @Override
    public void progress(final boolean isNeeded)
    {
        polling.acquire();
        try
        {
            if (isNeeded || freshness == NOT_FRESH)
            {
                progressAll();
            }
            freshness = NOT_FRESH;
        }
        finally
        {
            polling.release();
        }
    }

    /**
     * Waits until no thread is inside a poll that began before this call.
     */
    void quiesce()
    {
        polling.acquire();
        polling.release();
    }

    @Override
    public void publishArmed()
    {
        for (final Source queuePair : queuePairs)
        {
            queuePair.refreshArmed();
        }
        UnsafeApi.fullFence();
    }

    @Override
    public long deadlineNs(final long nowNs)
    {
        long left = Timers.FOR_EVER_NS;
        for (final Source queuePair : queuePairs)
        {
            left = Math.min(left, queuePair.waitLeftNs(nowNs));
        }
        return left;
    }

    /**
     * Adds a completion. The caller holds the queue pair's lock.
     *
     * @param owner  send queue of the queue pair.
     * @param number of the queue pair.
     * @return false if the queue is broken, or broke now.
     */
    boolean add(
        final SendQueue owner,
        final int number,
        final long id,
        final int status,
        final int opcode,
        final int byteLength,
        final int immediate,
        final int flags,
        final long freeUpTo,
        final boolean solicited)
    {
        boolean event = false;
        adding.acquire();
        try
        {
            if (broken)
            {
                return false;
            }
            final long position = tail;
            if (position - (long)HEAD.getAcquire(this) >= capacity)
            {
                broken = true;
                events.accept(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, this));
                return false;
            }
            final int slot = (int)position & mask;
            final long entry = base + (long)slot * STRIDE;
            UnsafeApi.putLong(entry + ID_OFFSET, id);
            // Store whole words, as poll loads them: a load of a word from two recent stores stalls.
            UnsafeApi.putLong(entry + STATUS_OFFSET, word(status, opcode));
            UnsafeApi.putLong(entry + VENDOR_ERROR_OFFSET, word(0, byteLength));
            UnsafeApi.putLong(entry + IMMEDIATE_OFFSET, word(immediate, number));
            UnsafeApi.putLong(entry + SOURCE_QUEUE_PAIR_OFFSET, word(0, flags));
            UnsafeApi.putLong(entry + FREE_OFFSET, freeUpTo);
            owners[slot] = owner;
            TAIL.setRelease(this, position + 1);
            if (armed == ARMED_ANY ||
                armed == ARMED_SOLICITED && (solicited || status != CompletionStatus.SUCCESS))
            {
                armed = DISARMED;
                event = true;
            }
        }
        finally
        {
            adding.release();
        }
        if (event)
        {
            channel.raise(this);
        }
        return true;
    }

    /**
     * Drops the completions of a queue pair that is reset or destroyed.
     *
     * @param owner its send queue.
     */
    void drop(final SendQueue owner)
    {
        polling.acquire();
        adding.acquire();
        long kept = head;
        for (long position = head; position != tail; position++)
        {
            final int slot = (int)position & mask;
            if (owners[slot] != owner)
            {
                final int target = (int)kept++ & mask;
                owners[target] = owners[slot];
                if (target != slot)
                {
                    UnsafeApi.copyMemory(base + (long)slot * STRIDE, base + (long)target * STRIDE, STRIDE);
                }
            }
        }
        for (long position = kept; position != tail; position++)
        {
            owners[(int)position & mask] = null;
        }
        TAIL.setRelease(this, kept);
        adding.release();
        polling.release();
    }

    /** Combines two adjacent fields. */
    private static long word(final int first, final int second)
    {
        return LITTLE_ENDIAN ?
            first & 0xFFFF_FFFFL | (long)second << Integer.SIZE : (long)first << Integer.SIZE | second & 0xFFFF_FFFFL;
    }

    /**
     * Wakes threads that sleep in the channel, if there is one, to make progress for a queue pair.
     */
    void ringIfAwaited()
    {
        if (channel != null)
        {
            channel.ringIfAwaited();
        }
    }

    /**
     * Makes threads check again that sleep in the channel, if there is one, or are about to.
     */
    void ring()
    {
        if (channel != null)
        {
            channel.ring();
        }
    }

    private void progressAll()
    {
        freshness = NOT_FRESH;
        for (final Source queuePair : queuePairs)
        {
            queuePair.progress();
        }
    }
}
