package org.onesided.verbs;

import static org.onesided.verbs.CompletionDescriptor.*;

import org.agrona.UnsafeApi;

/**
 * A fixed array of {@code ibv_wc} in native memory, filled by polling. Not thread-safe.
 */
public final class WorkCompletions implements AutoCloseable
{
    private final NativeArray memory;
    private final int capacity;
    private final long base;

    /**
     * @param capacity how many completions one poll may take, from 1.
     */
    public WorkCompletions(final int capacity)
    {
        this.capacity = capacity;
        memory = new NativeArray((long)capacity * LENGTH);
        base = memory.range().address();
    }

    /**
     * @return how many completions one poll may take.
     */
    public int capacity()
    {
        return capacity;
    }

    /**
     * Takes completions out of a queue, over those of the last poll.
     *
     * @param queue to poll.
     * @return how many there are now, or a negative errno.
     */
    public int poll(final CompletionQueue queue)
    {
        return queue.poll(base, capacity);
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return the number its request was given.
     */
    public long id(final int index)
    {
        return UnsafeApi.getLong(at(index) + ID_OFFSET);
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return status, see {@link CompletionStatus}.
     */
    public int status(final int index)
    {
        return UnsafeApi.getInt(at(index) + STATUS_OFFSET);
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return operation, see {@link CompletionOpcode}; undefined unless the status is success.
     */
    public int opcode(final int index)
    {
        return UnsafeApi.getInt(at(index) + OPCODE_OFFSET);
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return the vendor's own code of an error.
     */
    public int vendorError(final int index)
    {
        return UnsafeApi.getInt(at(index) + VENDOR_ERROR_OFFSET);
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return bytes that arrived, for receives, READs and atomics.
     */
    public int byteLength(final int index)
    {
        return UnsafeApi.getInt(at(index) + BYTE_LENGTH_OFFSET);
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return whether there is immediate data.
     */
    public boolean hasImmediate(final int index)
    {
        return (UnsafeApi.getInt(at(index) + FLAGS_OFFSET) & WITH_IMMEDIATE) != 0;
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return immediate data; undefined where there is none.
     */
    public int immediate(final int index)
    {
        return SendRequest.networkOrder(UnsafeApi.getInt(at(index) + IMMEDIATE_OFFSET));
    }

    /**
     * @param index from 0, below what the last poll returned.
     * @return number of this side's queue pair.
     */
    public int queuePair(final int index)
    {
        return UnsafeApi.getInt(at(index) + QUEUE_PAIR_OFFSET);
    }

    /**
     * Describes a completion that failed, in one line, for messages; allocates.
     *
     * @param index from 0, below what the last poll returned.
     * @return name of the status, the vendor's own code, the number of the request and that of the queue pair.
     */
    public String describe(final int index)
    {
        return String.format("status=%s vendor_err=0x%x wr_id=0x%x qp_num=%d",
            CompletionStatus.name(status(index)), vendorError(index), id(index), queuePair(index));
    }

    /**
     * Frees the memory.
     */
    @Override
    public void close()
    {
        memory.close();
    }

    private long at(final int index)
    {
        if (index < 0 || index >= capacity)
        {
            throw new IndexOutOfBoundsException("no such completion: index=" + index + " capacity=" + capacity);
        }
        return base + (long)index * LENGTH;
    }
}
