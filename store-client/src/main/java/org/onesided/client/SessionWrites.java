package org.onesided.client;

import org.agrona.UnsafeApi;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * A session's puts and deletes, one at a time. A write whose answer is missing when the session is lost is sent again,
 * under its first request id, only where the same life of the server resumes the same session and so remembers whether
 * it did it; otherwise its fate is reported as unknown. Not thread-safe.
 */
final class SessionWrites
{
    private final SessionLink link;
    private final Counters counters;

    private boolean isDelete;
    private Object valueBase;
    private long valueOffset;
    private int valueLength;
    private RegisteredBuffer extent;
    /** Hold the request, from when it is staged to when its answer came. */
    private RequestSlots slots;
    private int slot;

    SessionWrites(final SessionLink link)
    {
        this.link = link;
        this.counters = link.counters();
    }

    /**
     * Puts a value under the key that the operation began with.
     *
     * @param base   array that holds the value, or null for native memory.
     * @param offset of the value in the array as UnsafeApi counts it, or its address.
     * @param length of the value in bytes.
     */
    void put(final Object base, final long offset, final int length)
    {
        if (length > longestValue())
        {
            throw tooLong(length, "", link.failure(WriteFate.NOT_APPLIED));
        }
        isDelete = false;
        valueBase = base;
        valueOffset = offset;
        valueLength = length;
        run();
        counters.increment(Counters.PUTS);
        counters.add(Counters.BYTES_PUT, length);
    }

    /** Refuses a value that is too long, for an operation that has not begun. */
    void check(final String operation, final int length)
    {
        if (length > longestValue())
        {
            throw tooLong(length, "", FailureContext.unsent(operation, link.server().address()));
        }
    }

    /** Refuses a value of a batch that is too long, before the batch has begun. */
    void checkOfBatch(final int length, final int index)
    {
        if (length > longestValue())
        {
            throw tooLong(
                length, " index=" + index, FailureContext.unsent(Operation.PUT_ALL, link.server().address()));
        }
    }

    private int longestValue()
    {
        return Math.min(RecordDescriptor.MAX_VALUE_LENGTH, link.server().maxValueLength());
    }

    private StoreLimitException tooLong(final int length, final String place, final FailureContext failure)
    {
        return new StoreLimitException(
            "value is too long, store it in parts: length=" + length + " longest=" + longestValue() + place, failure);
    }

    /** Deletes the key that the operation began with; whether it was there. */
    boolean delete()
    {
        isDelete = true;
        valueBase = null;
        final boolean wasPresent = run() == Status.OK;
        counters.increment(Counters.DELETES);
        return wasPresent;
    }

    private Status run()
    {
        slots = null;
        boolean isDone = false;
        try
        {
            final Status status = answeredStatus();
            isDone = true;
            return status;
        }
        finally
        {
            valueBase = null;
            slots = null;
            if (extent != null)
            {
                final RegisteredBuffer used = extent;
                extent = null;
                // Unless all is well, the server may be about to pull from it.
                if (isDone)
                {
                    link.largeBuffers().giveBack(used);
                }
                else
                {
                    link.largeBuffers().discard(used);
                }
            }
        }
    }

    private Status answeredStatus()
    {
        int attempts = 0;
        while (true)
        {
            final Attachment attachment = link.attached(fate());
            if (slots != null && slots != attachment.slots())
            {
                if (isPending())
                {
                    throw new StoreDisconnectedException(
                        "session was lost before the answer came, and the server does not know it any more",
                        link.failure(WriteFate.UNKNOWN));
                }
                slots = null;
            }
            try
            {
                final Status status = attempt(attachment);
                if (status == Status.OK || status == Status.NOT_FOUND && isDelete)
                {
                    link.succeeded();
                    return status;
                }
                if (status != Status.BUSY && status != Status.PULL_FAILED)
                {
                    throw refused(status, link.failure(WriteFate.NOT_APPLIED));
                }
                link.checkDeadline(status == Status.BUSY ?
                    "server has too much to do, try again later" : "server could not pull the value", fate());
                Pause.after(attempts++);
            }
            catch (final AttachmentLostException e)
            {
                link.detach(e.getMessage());
                link.checkDeadline("server was lost (" + e.getMessage() + ") and time is up", fate());
            }
            catch (final DeadlinePassedException e)
            {
                final WriteFate fate = fate();
                if (extent != null && isPending())
                {
                    // The server must not pull from it any more.
                    slots.abandonAwaited();
                    link.detach("deadline passed");
                }
                throw link.deadlinePassed(fate == WriteFate.UNKNOWN ?
                    "deadline passed before the answer came" : "deadline passed before it could be sent", fate);
            }
        }
    }

    private Status attempt(final Attachment attachment)
    {
        if (slots == null)
        {
            request(attachment);
        }
        final WriteAnswerDecoder answer = attachment.rpc().awaitWrite();
        final int shard = slots.shardOf(slot);
        slots = null;
        final Status status = Rpc.status(answer.statusRaw());
        if (status == Status.OK)
        {
            mirror(attachment.table(), shard, answer);
        }
        // Its receive goes back with the next request or at the operation's end: from here on nothing may fail.
        return status;
    }

    private void request(final Attachment attachment)
    {
        final long hash = attachment.table().hash(link.keySpace().addressOffset(), link.keyLength());
        final int shard = KeyHash.shard(hash, attachment.table().shardCount());
        final Rpc rpc = attachment.rpc();
        try
        {
            if (isDelete)
            {
                rpc.delete(shard, link.keySpace(), link.keyLength());
            }
            else if (valueLength <= rpc.maxInlineValue(link.keyLength()))
            {
                rpc.put(shard, link.keySpace(), link.keyLength(), valueBase, valueOffset, valueLength);
            }
            else
            {
                if (extent == null)
                {
                    extent = link.takeLarge(valueLength);
                    UnsafeApi.copyMemory(
                        valueBase, valueOffset, null, extent.addressOf(0, valueLength), valueLength);
                }
                rpc.putLarge(shard, link.keySpace(), link.keyLength(), extent, valueLength);
            }
        }
        finally
        {
            // It may be staged, and even sent, where posting it failed.
            slot = attachment.slots().awaitedWrite();
            slots = slot == RequestSlots.NONE ? null : attachment.slots();
        }
    }

    /** Takes over where the answer says that the key is now. */
    static void mirror(final Table table, final int shard, final WriteAnswerDecoder answer)
    {
        final long index = table.bucketIndex(shard, answer.bucketOffset());
        if (index >= 0 && answer.slotIndex() < BucketDescriptor.SLOT_COUNT)
        {
            table.mirror().update(table.bucketNumber(shard, index), answer.slotIndex(), answer.slotWord());
        }
    }

    /** Whether the request was sent, and its answer did not come. */
    private boolean isPending()
    {
        return slots != null && slots.wasSent(slot);
    }

    private WriteFate fate()
    {
        return isPending() ? WriteFate.UNKNOWN : WriteFate.NOT_APPLIED;
    }

    /** What a status says that is no success. */
    static StoreException refused(final Status status, final FailureContext failure)
    {
        return switch (status)
        {
            case STORE_FULL -> new StoreFullException(
                "store is full, delete keys or start the server with more memory", failure);
            case CHAIN_FULL -> new StoreFullException(
                "store's index is full, too many keys fell into one bucket: start the server with more memory",
                failure);
            case CONFLICT -> new StoreConflictException("condition of the write does not hold", failure);
            default -> new StoreLimitException("server refuses the write: status=" + status, failure);
        };
    }
}
