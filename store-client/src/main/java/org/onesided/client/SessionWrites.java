package org.onesided.client;

import org.agrona.UnsafeApi;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * A session's puts and deletes. A write whose answer is missing when the session is lost is sent again, under its
 * first request id, only where the same life of the server resumes the same session and so remembers whether it did
 * it; otherwise its fate is reported as unknown. Not thread-safe.
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
    private boolean isPending;
    private SessionIdentity resume = SessionIdentity.NONE;

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
        final int longest = Math.min(RecordDescriptor.MAX_VALUE_LENGTH, link.server().maxValueLength());
        if (length > longest)
        {
            throw new StoreLimitException(
                "value is too long, store it in parts: length=" + length + " longest=" + longest,
                link.failure(WriteFate.NOT_APPLIED));
        }
        isDelete = false;
        valueBase = base;
        valueOffset = offset;
        valueLength = length;
        run();
        counters.increment(Counters.PUTS);
        counters.add(Counters.BYTES_PUT, length);
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
        isPending = false;
        resume = SessionIdentity.NONE;
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
            final Attachment attachment = link.attached(resume, fate());
            if (isPending && !attachment.isResumed())
            {
                throw new StoreDisconnectedException(
                    "session was lost before the answer came, and the server does not know it any more",
                    link.failure(WriteFate.UNKNOWN));
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
                    throw refused(status);
                }
                link.checkDeadline(status == Status.BUSY ?
                    "server has too much to do, try again later" : "server could not pull the value", fate());
                Pause.after(attempts++);
            }
            catch (final AttachmentLostException e)
            {
                isPending |= attachment.rpc().isOutstanding();
                if (isPending)
                {
                    // Taking leave would make the server forget whether it did the write.
                    resume = attachment.identity();
                    link.detachToResume(e.getMessage());
                }
                else
                {
                    link.detach(e.getMessage());
                }
                link.checkDeadline("server was lost (" + e.getMessage() + ") and time is up", fate());
            }
            catch (final DeadlinePassedException e)
            {
                isPending |= attachment.rpc().isOutstanding();
                if (extent != null || isPending && !attachment.rpc().isOutstanding())
                {
                    // The server must not pull from it any more, nor take the next request for this one sent again.
                    link.detach("deadline passed");
                }
                throw link.deadlinePassed(isPending ?
                    "deadline passed before the answer came" : "deadline passed before it could be sent", fate());
            }
        }
    }

    private Status attempt(final Attachment attachment)
    {
        final long keyAddress = link.keySpace().addressOffset();
        final long hash = attachment.table().hash(keyAddress, link.keyLength());
        final int shard = KeyHash.shard(hash, attachment.table().shardCount());
        final Rpc rpc = attachment.rpc();
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
        final WriteAnswerDecoder answer = rpc.awaitWrite();
        isPending = false;
        resume = SessionIdentity.NONE;
        final Status status = Rpc.status(answer.statusRaw());
        if (status == Status.OK)
        {
            mirror(attachment.table(), shard, answer);
        }
        // Its receive goes back with the next request or at the operation's end: from here on nothing may fail.
        return status;
    }

    private static void mirror(final Table table, final int shard, final WriteAnswerDecoder answer)
    {
        final long index = table.bucketIndex(shard, answer.bucketOffset());
        if (index >= 0 && answer.slotIndex() < BucketDescriptor.SLOT_COUNT)
        {
            table.mirror().update(table.bucketNumber(shard, index), answer.slotIndex(), answer.slotWord());
        }
    }

    private WriteFate fate()
    {
        return isPending ? WriteFate.UNKNOWN : WriteFate.NOT_APPLIED;
    }

    private StoreException refused(final Status status)
    {
        final FailureContext failure = link.failure(WriteFate.NOT_APPLIED);
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
