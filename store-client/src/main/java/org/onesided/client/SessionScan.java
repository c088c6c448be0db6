package org.onesided.client;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Passes all pairs to a consumer: sweeps the buckets, READs the records of many slots at a time, and goes back to
 * single slots where a record was changing. A present key keeps its slot, so each slot is passed once, with a record
 * that {@link SlotProof} says is its own. Not thread-safe.
 *
 * <pre>
 *  space:  +-----------------+---------------------------+------------+-----------+
 *          | chunk of buckets| records                   | one bucket | SlotProof |
 *          +-----------------+---------------------------+------------+-----------+
 * </pre>
 */
final class SessionScan
{
    private static final int RECORDS_LENGTH = 1 << 20;
    private static final int BATCH = 512;
    /** A record that changed so often is likely to change all the time. */
    private static final int PATIENT_ATTEMPTS = 4;
    private static final int MANY_ATTEMPTS = 40;
    private static final long RECORDS_START = BucketSweep.CHUNK_LENGTH;
    private static final long LINE_START = RECORDS_START + RECORDS_LENGTH;
    private static final long PROOF_START = LINE_START + BucketDescriptor.LENGTH;
    private static final long SPACE_LENGTH = PROOF_START + SlotProof.spaceLength(BATCH);
    /** Place of a record that is to be read by itself. */
    private static final int BY_ITSELF = -1;

    private final RunningOperation operation;
    private final Counters counters;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final EntryConsumer consumer;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);
    private final int[] slots = new int[BATCH];
    private final int[] places = new int[BATCH];
    private RegisteredBuffer space;
    private Table table;
    private BucketSweep sweep;
    private SlotProof proof;
    /** The next slot of the chunk to pass. */
    private int nextSlot;

    SessionScan(final SessionCore core, final EntryConsumer consumer)
    {
        operation = core.operation();
        counters = core.counters();
        reconnector = core.reconnector();
        buffers = core.buffers();
        this.consumer = consumer;
    }

    void run()
    {
        try
        {
            space = buffers.take(SPACE_LENGTH);
        }
        catch (final DeadlinePassedException e)
        {
            throw reconnector.deadlinePassed(
                "deadline passed before others gave room for the pairs back", WriteFate.NONE);
        }
        try
        {
            boolean isDone = false;
            while (!isDone)
            {
                isDone = step();
            }
        }
        finally
        {
            buffers.giveBack(space);
        }
    }

    private boolean step()
    {
        final Attachment attachment = reconnector.attached(WriteFate.NONE);
        if (table == null)
        {
            table = attachment.reads().table();
            sweep = new BucketSweep(table);
            proof = new SlotProof(table, space, PROOF_START, BATCH);
        }
        else if (table != attachment.reads().table())
        {
            throw new StoreDisconnectedException(
                "server came back as another life, start the scan again", operation.failure(WriteFate.NONE));
        }
        try
        {
            if (sweep.isDone())
            {
                return true;
            }
            proof.beginChunk(sweep);
            sweep.read(attachment, space, counters);
            final int end = sweep.count() * BucketDescriptor.SLOT_COUNT;
            while (nextSlot < end)
            {
                batch(attachment, end);
                reconnector.succeeded();
                operation.beginStep();
            }
            sweep.advance();
            nextSlot = 0;
            return false;
        }
        catch (final AttachmentLostException e)
        {
            reconnector.detach(e, WriteFate.NONE);
            return false;
        }
        catch (final DeadlinePassedException e)
        {
            throw reconnector.deadlinePassed("deadline passed before the next pairs were there", WriteFate.NONE);
        }
    }

    /** READs the records of the next slots together, then passes them in their order. */
    private void batch(final Attachment attachment, final int end)
    {
        int count = 0;
        int used = 0;
        int slot = nextSlot;
        while (slot < end && count < BATCH)
        {
            if (slot % BucketDescriptor.SLOT_COUNT == 0 && !isLive(slot / BucketDescriptor.SLOT_COUNT))
            {
                if (isOverflow())
                {
                    slot += BucketDescriptor.SLOT_COUNT;
                    continue;
                }
                throw attachment.loop().lost("a bucket is not live: the table is being reorganised");
            }
            final long word = word(slot);
            if (word != SlotWord.EMPTY)
            {
                final boolean isShort = attachment.reads().records().isShort(sweep.shard(), word);
                final int length = isShort ? attachment.reads().records().readLength(sweep.shard(), word) : 0;
                if (isShort && used + length > RECORDS_LENGTH)
                {
                    break;
                }
                slots[count] = slot;
                places[count] = isShort ? used : BY_ITSELF;
                if (isShort)
                {
                    attachment.reads().records().enqueue(sweep.shard(), word, space, RECORDS_START + used);
                    used += length;
                }
                count++;
            }
            slot++;
        }
        attachment.reads().reader().complete();
        prove(attachment, count);
        for (int i = 0; i < count; i++)
        {
            pass(attachment, slots[i], places[i]);
            nextSlot = slots[i] + 1;
        }
        nextSlot = slot;
    }

    private void prove(final Attachment attachment, final int count)
    {
        proof.beginBatch();
        for (int i = 0; i < count; i++)
        {
            if (places[i] != BY_ITSELF)
            {
                final long record = space.addressOf(RECORDS_START + places[i], RecordDescriptor.HEADER_LENGTH);
                proof.add(slots[i], space.addressOf(lineStart(slots[i]), BucketDescriptor.LENGTH), record);
            }
        }
        proof.read(attachment.reads().reader(), counters);
    }

    private void pass(final Attachment attachment, final int slot, final int place)
    {
        final long word = word(slot);
        if (place != BY_ITSELF)
        {
            final int length = attachment.reads().records().readLength(sweep.shard(), word);
            final long address = space.addressOf(RECORDS_START + place, length);
            final int outcome = attachment.reads().records().judge(address, length, SlotWord.tableOffset(word));
            if (outcome == RecordReader.LIVE && belongsTo(attachment, slot, word) &&
                proof.isProven(slot, word, attachment.reads().records()))
            {
                emit(attachment.reads().records());
                return;
            }
        }
        passByItself(attachment, slot);
    }

    /** READs bucket and record of one slot until the slot is empty or its record whole. */
    private void passByItself(final Attachment attachment, final int slot)
    {
        operation.beginStep();
        final long index = sweep.index() + slot / BucketDescriptor.SLOT_COUNT;
        final long line = space.addressOf(LINE_START, BucketDescriptor.LENGTH);
        final int slotOffset = BucketDescriptor.slotOffset(slot % BucketDescriptor.SLOT_COUNT);
        int attempts = 0;
        while (true)
        {
            attachment.reads().reader().read(
                sweep.shard(), table.bucketOffset(sweep.shard(), index), BucketDescriptor.LENGTH, space, LINE_START);
            counters.increment(Counters.BUCKET_READS);
            counters.add(Counters.BYTES_READ, BucketDescriptor.LENGTH);
            if (!isLiveHeader(LINE_START) && isOverflow())
            {
                return;
            }
            final long word = UnsafeApi.getLong(line + slotOffset);
            if (isLiveHeader(LINE_START) && word == SlotWord.EMPTY)
            {
                return;
            }
            if (isLiveHeader(LINE_START) &&
                attachment.reads().records().read(sweep.shard(), word) == RecordReader.LIVE &&
                belongsTo(attachment, slot, word) &&
                tryProve(attachment, slot, line, attempts))
            {
                emit(attachment.reads().records());
                // Others may need it, however long the rest of the scan takes.
                buffers.end();
                return;
            }
            counters.increment(Counters.RETRIES);
            reconnector.checkDeadline("a record kept changing until the deadline passed", WriteFate.NONE);
            Pause.after(attempts++);
        }
    }

    private boolean tryProve(final Attachment attachment, final int slot, final long line, final int attempts)
    {
        final RecordReader records = attachment.reads().records();
        return attempts > PATIENT_ATTEMPTS && attempts % 2 == 1 ?
            proof.proveChanging(
                attachment.reads().reader(), slot, line, attempts > MANY_ATTEMPTS, records, counters) :
            proof.proveAlone(attachment.reads().reader(), slot, line, records, counters);
    }

    /** Whether a record is one that this slot could name, and not one that took the place of its own. */
    private boolean belongsTo(final Attachment attachment, final int slot, final long word)
    {
        final RecordReader records = attachment.reads().records();
        final long hash = table.hash(records.keyAddress(), records.keyLength());
        final int shard = sweep.shard();
        return KeyHash.fingerprint(hash) == SlotWord.fingerprint(word) &&
            KeyHash.shard(hash, table.shardCount()) == shard &&
            (isOverflow() || KeyHash.bucket(hash, table.shard(shard).bucketCount()) ==
                sweep.index() + slot / BucketDescriptor.SLOT_COUNT);
    }

    private void emit(final RecordReader records)
    {
        proof.saw(records.version());
        key.wrap(records.keyAddress(), records.keyLength());
        value.wrap(records.valueAddress(), records.valueLength());
        consumer.accept(key, value);
    }

    private boolean isOverflow()
    {
        return sweep.index() >= table.shard(sweep.shard()).bucketCount();
    }

    private boolean isLive(final int line)
    {
        return isLiveHeader((long)line * BucketDescriptor.LENGTH);
    }

    private boolean isLiveHeader(final long place)
    {
        return BucketDescriptor.isLive(UnsafeApi.getLong(space.addressOf(place, Long.BYTES)), table.epoch());
    }

    private long word(final int slot)
    {
        final long place = lineStart(slot) + BucketDescriptor.slotOffset(slot % BucketDescriptor.SLOT_COUNT);
        return UnsafeApi.getLong(space.addressOf(place, Long.BYTES));
    }

    private static long lineStart(final int slot)
    {
        return (long)(slot / BucketDescriptor.SLOT_COUNT) * BucketDescriptor.LENGTH;
    }
}
