package org.onesided.verbs.shm;

import static org.onesided.verbs.shm.SharedQueueDescriptor.*;

import java.util.function.IntPredicate;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.soft.ReceiveQueue;
import org.onesided.verbs.soft.SoftProtectionDomain;
import org.onesided.verbs.soft.SoftSharedReceiveQueue;

/**
 * A shared receive queue from which peers claim receives. The receives themselves stay in this process, in slots.
 */
final class ShmSharedReceiveQueue extends SoftSharedReceiveQueue
{
    private static final long FREE = -1;

    private final ContextDirectory directory;
    private final IntPredicate isConnected;
    private final int number;
    private final int capacity;
    private final SharedMapping mapping;
    private final long words;
    private final long lengths;
    private final ReceiveQueue slots;
    private final int[] freeSlots;
    private int freeCount;
    /** Ring position of each slot's last post; {@link #FREE} without a receive. */
    private final long[] positions;
    /** Queue pair that claimed each slot, for ring positions that were reused since. */
    private final int[] claimants;
    private long next;

    /**
     * @param isConnected says of a queue pair's number whether the queue pair may still receive.
     */
    ShmSharedReceiveQueue(
        final ContextDirectory directory,
        final IntPredicate isConnected,
        final SoftProtectionDomain domain,
        final int number,
        final int maxWorkRequests,
        final int maxElements)
    {
        super(domain, BitUtil.findNextPositivePowerOfTwo(maxWorkRequests), maxElements);
        this.directory = directory;
        this.isConnected = isConnected;
        this.number = number;
        capacity = maxWorkRequests();
        mapping = SharedFile.create(directory, FileNames.sharedQueue(number), SharedQueueDescriptor.length(capacity));
        words = mapping.address() + WORDS_OFFSET;
        lengths = mapping.address() + lengthsOffset(capacity);
        slots = new ReceiveQueue(capacity, maxElements);
        positions = new long[capacity];
        claimants = new int[capacity];
        freeSlots = new int[capacity];
        for (int slot = capacity - 1; slot >= 0; slot--)
        {
            free(slot);
        }
    }

    int number()
    {
        return number;
    }

    int capacity()
    {
        return capacity;
    }

    /**
     * @return the receives by slot.
     */
    ReceiveQueue slots()
    {
        return slots;
    }

    /**
     * Checks a slot that a peer says it has claimed.
     */
    boolean isClaimed(final long slot, final int queuePair)
    {
        lock().acquire();
        try
        {
            return slot >= 0 && slot < capacity && positions[(int)slot] != FREE &&
                claimantOf((int)slot) == queuePair;
        }
        finally
        {
            lock().release();
        }
    }

    /**
     * Frees the slot of a receive that was completed.
     */
    void consume(final int slot)
    {
        lock().acquire();
        free(slot);
        lock().release();
    }

    /**
     * Reposts receives that were claimed for disconnected queue pairs, which will never use them; also those that a
     * slow sender claimed after such a queue pair had ended.
     */
    void reclaim()
    {
        lock().acquire();
        try
        {
            for (int slot = 0; slot < capacity; slot++)
            {
                final int claimant = positions[slot] == FREE ? 0 : claimantOf(slot);
                if (claimant != 0 && !isConnected.test(claimant))
                {
                    publish(slot);
                }
            }
        }
        finally
        {
            lock().release();
        }
    }

    @Override
    protected boolean isFull()
    {
        return freeCount == 0;
    }

    @Override
    protected void post(final long request)
    {
        final int slot = freeSlots[--freeCount];
        slots.put(slot, request);
        final int length = ReceiveLength.encode(slots.totalLength(slot), true);
        UnsafeApi.putInt(lengths + (long)slot * Integer.BYTES, length);
        publish(slot);
    }

    @Override
    protected void release()
    {
        mapping.close();
        directory.unlink(FileNames.sharedQueue(number));
        slots.close();
    }

    private void free(final int slot)
    {
        positions[slot] = FREE;
        claimants[slot] = 0;
        freeSlots[freeCount++] = slot;
    }

    private int claimantOf(final int slot)
    {
        if (claimants[slot] == 0)
        {
            final long word = UnsafeApi.getLongVolatile(null, place(positions[slot]));
            return state(word) == CLAIMED && slot(word) == slot ? SharedQueueDescriptor.claimant(word) : 0;
        }
        return claimants[slot];
    }

    private void publish(final int slot)
    {
        final long position = next++;
        final long place = place(position);
        // At most capacity receives are posted or claimed. So the former receive here is claimed, and may still be in
        // use.
        final long old = UnsafeApi.getLongVolatile(null, place);
        if (state(old) == CLAIMED && positions[slot(old)] == position - capacity)
        {
            claimants[slot(old)] = SharedQueueDescriptor.claimant(old);
        }
        moveHeadPast(position - capacity);
        positions[slot] = position;
        claimants[slot] = 0;
        UnsafeApi.putLongVolatile(null, place, word(position, slot, 0, POSTED));
    }

    private void moveHeadPast(final long position)
    {
        final long headAddress = mapping.address() + HEAD_OFFSET;
        long head = UnsafeApi.getLongVolatile(null, headAddress);
        while (head <= position)
        {
            UnsafeApi.compareAndSetLong(null, headAddress, head, position + 1);
            head = UnsafeApi.getLongVolatile(null, headAddress);
        }
    }

    private long place(final long position)
    {
        return words + (position & capacity - 1) * Long.BYTES;
    }
}
