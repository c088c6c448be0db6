package org.onesided.client.request;

import org.onesided.client.session.Attachment;
import org.onesided.client.session.Counters;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.Table;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.BucketDescriptor;

/**
 * Records successful writes: in the counters, and the keys' new places in the mirror. Not thread-safe.
 */
final class DoneWrites
{
    private final Reconnector reconnector;
    private final Counters counters;
    private long version;
    private long result;
    private long bucketOffset;

    DoneWrites(final Reconnector reconnector, final Counters counters)
    {
        this.reconnector = reconnector;
        this.counters = counters;
    }

    /** The write in a slot is done, or was a delete of an absent key. */
    void add(final RequestSlots slots, final int slot, final WriteAnswerDecoder answer, final long computed)
    {
        reconnector.succeeded();
        result = computed;
        version = answer.version();
        bucketOffset = answer.bucketOffset();
        final long message = slots.messages().address(slot);
        if (RequestCodec.isDelete(message))
        {
            counters.increment(Counters.DELETES);
        }
        else if (!RequestCodec.isTouch(message))
        {
            counters.increment(Counters.PUTS);
            counters.add(Counters.BYTES_PUT, RequestCodec.valueLength(message));
        }
        // The answer may come while the attachment is closed.
        final Attachment attachment = reconnector.attachment();
        if (RequestCodec.status(answer.statusRaw()) == Status.OK && attachment != null)
        {
            mirror(attachment.table(), slots.shardOf(slot), answer.bucketOffset(), answer.slotIndex(),
                answer.slotWord());
        }
    }

    /** One of the puts of a batch is done. */
    void addJoined(
        final RequestSlots slots, final int slot, final BatchAnswer answer, final int put, final int valueLength)
    {
        reconnector.succeeded();
        version = 0;
        result = 0;
        counters.increment(Counters.PUTS);
        counters.add(Counters.BYTES_PUT, valueLength);
        final Attachment attachment = reconnector.attachment();
        if (attachment != null)
        {
            mirror(attachment.table(), slots.shardOf(slot), answer.bucketOffset(put), answer.slotIndex(put),
                answer.slotWord(put));
        }
    }

    /** The condition of a write did not hold. */
    void conflict(final WriteAnswerDecoder answer)
    {
        reconnector.succeeded();
        version = answer.version();
    }

    /**
     * Version that the write recorded last has got, or has met if its condition did not hold. The answer itself is gone
     * by the time that the write is over.
     */
    long version()
    {
        return version;
    }

    /** What the server computed for the write recorded last; 0 if it computed nothing. */
    long result()
    {
        return result;
    }

    /** Table offset of the bucket where the write recorded last has put its key. */
    long bucketOffset()
    {
        return bucketOffset;
    }

    /**
     * Updates the mirror with the key's new place from the answer. One that was given before the server's restart names
     * offset 0, where no bucket is: it tells nothing of the present memory.
     */
    private static void mirror(
        final Table table, final int shard, final long bucketOffset, final int slotIndex, final long slotWord)
    {
        final long index = table.bucketIndex(shard, bucketOffset);
        if (index >= 0 && slotIndex < BucketDescriptor.SLOT_COUNT)
        {
            table.learnUse(shard, index);
            table.mirror().update(table.bucketNumber(shard, index), slotIndex, slotWord);
        }
    }
}
