package org.onesided.client.read;

import java.util.function.Predicate;
import org.agrona.UnsafeApi;
import org.agrona.collections.LongArrayList;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.Counters;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.OperationBuffers;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.session.Table;
import org.onesided.client.types.ScannedEntry;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.waiting.Pause;

/**
 * Finds all pairs for a visitor ({@link ScanVisits}), chain by chain: READs the buckets of many chains at a time, then
 * the records of many slots, and goes back to single slots where a record was changing. {@link SlotProof} says whether
 * a record is its slot's own. Keys may move within their chain meanwhile, so the chains that may have shown not all of
 * their keys are looked at again, by the rules of {@link BucketDescriptor}, and a key that was passed is not passed
 * again. Of a chain that is split meanwhile, the scan passes the two new ones at once. Not thread-safe.
 *
 * <pre>
 *  space:  +------------+---------------------------+------------+-----------+
 *          | ChainChunk | records                   | one bucket | SlotProof |
 *          +------------+---------------------------+------------+-----------+
 * </pre>
 */
public final class SessionScan
{
    private static final int RECORDS_LENGTH = 1 << 20;
    private static final int BATCH = 512;
    /** A record that changed so often is likely to change all the time. */
    private static final int PATIENT_ATTEMPTS = 4;
    private static final int MANY_ATTEMPTS = 40;
    /** Each pair renews the deadline, unless the same chains are passed more often than that. */
    private static final int RENEWING_ATTEMPTS = 8;
    private static final long RECORDS_START = ChainChunk.SPACE_LENGTH;
    private static final long LINE_START = RECORDS_START + RECORDS_LENGTH;
    private static final long PROOF_START = LINE_START + BucketDescriptor.LENGTH;
    private static final long SPACE_LENGTH = PROOF_START + SlotProof.spaceLength(BATCH);
    /** Place of a record that is to be read by itself. */
    private static final int BY_ITSELF = -1;

    private final RunningOperation operation;
    private final Counters counters;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final Reads reads;
    private final ScanVisits visits;
    private final int[] slots = new int[BATCH];
    private final int[] places = new int[BATCH];
    /** First buckets of the chains that are to be looked at again. */
    private final LongArrayList unsettled = new LongArrayList();
    private RegisteredBuffer space;
    private Table table;
    private ChainSweep sweep;
    private ChainChunk chunk;
    private SlotProof proof;
    private Attachment attachment;
    private RegionReader reader;
    private RecordReader records;
    /** Of the key that {@link #belongsTo} judged last. */
    private long hash;
    /** How often the chains in hand were begun. */
    private int attempts;
    private long lease;

    /** What was READ may not be believed: the chains are READ again. */
    private static final class LeaseEndedException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        LeaseEndedException()
        {
            super("lease ended", null, false, false);
        }
    }

    /**
     * @param core    of the session.
     * @param reads   of the session.
     * @param prefix  of the keys whose pairs are passed; empty for all.
     * @param visitor gets the pairs, and returns whether it wants more.
     */
    public SessionScan(
        final SessionCore core, final Reads reads, final byte[] prefix, final Predicate<? super ScannedEntry> visitor)
    {
        visits = new ScanVisits(prefix, visitor);
        this.reads = reads;
        operation = core.operation();
        counters = core.counters();
        reconnector = core.reconnector();
        buffers = core.buffers();
    }

    /**
     * Passes the pairs, within an operation that has begun.
     *
     * @return whether all were passed: the visitor wanted no end before.
     */
    public boolean run()
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
            return !visits.isOver();
        }
        finally
        {
            buffers.giveBack(space);
        }
    }

    private boolean step()
    {
        attach();
        try
        {
            if (sweep.isDone())
            {
                return true;
            }
            unsettled.clear();
            passChains(sweep.index(), sweep.count());
            while (!unsettled.isEmpty() && !visits.isOver())
            {
                settle(unsettled.removeAt(unsettled.size() - 1));
            }
            if (sweep.advance())
            {
                visits.forget();
            }
            progress();
            return visits.isOver();
        }
        catch (final LeaseEndedException e)
        {
            reconnector.checkDeadline("leases ended before the next pairs were there", WriteFate.NONE);
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

    /** Passes a chain until it shows all of its keys, or is split: then the new ones become unsettled. */
    private void settle(final long first)
    {
        progress();
        final int others = unsettled.size();
        passChains(first, 1);
        while (unsettled.size() > others && unsettled.getLong(others) == first && !visits.isOver())
        {
            unsettled.removeAt(others);
            reconnector.checkDeadline("a chain of buckets kept changing until the deadline passed", WriteFate.NONE);
            Pause.after(attempts);
            passChains(first, 1);
        }
        progress();
    }

    private void progress()
    {
        attempts = 0;
        operation.beginStep();
    }

    private void attach()
    {
        attachment = reconnector.attached(WriteFate.NONE);
        reader = attachment.reader();
        records = reads.begin(attachment).records();
        if (table == null)
        {
            table = attachment.table();
            sweep = new ChainSweep(table);
            chunk = new ChainChunk(table, space, counters);
            proof = new SlotProof(table, space, PROOF_START, BATCH);
        }
        else if (table != attachment.table())
        {
            throw new StoreDisconnectedException(
                "server was restarted meanwhile, start the scan again", operation.failure(WriteFate.NONE));
        }
        sweep.choose();
    }

    /** Passes neighbouring chains. Those that may not have shown all of their keys become unsettled. */
    private void passChains(final long first, final int count)
    {
        attempts++;
        proof.begin(chunk, sweep.shard());
        beginLease();
        chunk.read(reader, sweep.shard(), first, count);
        checkLease();
        int slot = 0;
        while (slot < chunk.slotCount() && !visits.isOver())
        {
            slot = passBatch(slot);
            reconnector.succeeded();
        }
        if (!visits.isOver() && !chunk.isSettled())
        {
            beginLease();
            chunk.readAgain(reader);
            checkLease();
            for (int chain = 0; chain < count && !visits.isOver(); chain++)
            {
                lookAgain(chain, first + chain);
            }
        }
    }

    /** Passes what came to a chain's first bucket since it was READ, as a key may have moved there. */
    private void lookAgain(final int chain, final long first)
    {
        if (chunk.isSettled(chain) || chunk.isSplit(chain))
        {
            return;
        }
        if (!chunk.isWhole(chain))
        {
            leaveUnsettled(first);
            return;
        }
        final int begin = chain * BucketDescriptor.SLOT_COUNT;
        for (int slot = begin; slot < begin + BucketDescriptor.SLOT_COUNT && !visits.isOver(); slot++)
        {
            final long again = chunk.wordAgain(slot);
            // A key that moved there may have the very slot word of one that left, if both have the same fingerprint.
            if (again != SlotWord.EMPTY &&
                (again != chunk.word(slot) || chunk.hasBehind(chain, SlotWord.fingerprint(again))))
            {
                passByItself(slot);
            }
        }
    }

    private void leaveUnsettled(final long first)
    {
        if (!unsettled.containsLong(first))
        {
            unsettled.addLong(first);
        }
    }

    /** A chain was not live when it was READ. */
    private void followSplit(final int chain)
    {
        final long first = chunk.chainIndex(chain);
        if (!chunk.isSplit(chain) ||
            table.shard(sweep.shard()).child(first) >= table.shard(sweep.shard()).bucketCount())
        {
            throw attachment.loop().lost("a bucket is not live: the table is being reorganised");
        }
        table.learnSplit(sweep.shard(), first);
        final long child = table.shard(sweep.shard()).child(first);
        leaveUnsettled(child);
        leaveUnsettled(child + 1);
    }

    /** READs the records of the next slots together, then passes them in their order; which slot is the next. */
    private int passBatch(final int begin)
    {
        int count = 0;
        int used = 0;
        int slot = begin;
        beginLease();
        while (slot < chunk.slotCount() && count < BATCH)
        {
            if (slot % BucketDescriptor.SLOT_COUNT == 0 && !chunk.isLive(ChainChunk.bucketOf(slot)))
            {
                if (chunk.isFirst(ChainChunk.bucketOf(slot)))
                {
                    followSplit(ChainChunk.bucketOf(slot));
                }
                slot += BucketDescriptor.SLOT_COUNT;
                continue;
            }
            final long word = chunk.word(slot);
            if (word != SlotWord.EMPTY)
            {
                final boolean isShort = records.isShort(sweep.shard(), word);
                final int length = isShort ? records.readLength(sweep.shard(), word) : 0;
                if (isShort && used + length > RECORDS_LENGTH)
                {
                    break;
                }
                slots[count] = slot;
                places[count] = isShort ? used : BY_ITSELF;
                if (isShort)
                {
                    records.enqueue(sweep.shard(), word, space, RECORDS_START + used);
                    used += length;
                }
                count++;
            }
            slot++;
        }
        reader.complete();
        prove(count);
        checkLease();
        for (int i = 0; i < count && !visits.isOver(); i++)
        {
            pass(slots[i], places[i]);
        }
        return slot;
    }

    private void prove(final int count)
    {
        proof.beginBatch();
        for (int i = 0; i < count; i++)
        {
            if (places[i] != BY_ITSELF)
            {
                proof.add(slots[i], space.addressOf(RECORDS_START + places[i], RecordDescriptor.HEADER_LENGTH));
            }
        }
        proof.read(reader, counters);
    }

    private void pass(final int slot, final int place)
    {
        final long word = chunk.word(slot);
        if (place != BY_ITSELF)
        {
            final int length = records.readLength(sweep.shard(), word);
            final long address = space.addressOf(RECORDS_START + place, length);
            final int outcome = records.judge(address, length, table.shard(sweep.shard()).recordOffset(word));
            if (outcome == RecordReader.LIVE && belongsTo(slot, word) && proof.prove(slot, word, records))
            {
                emit();
                return;
            }
        }
        passByItself(slot);
    }

    /**
     * READs bucket and record of one slot until the slot is empty, serves another chain, or its record is whole; or
     * until the chain is split.
     */
    private void passByItself(final int slot)
    {
        final int bucket = ChainChunk.bucketOf(slot);
        final long line = space.addressOf(LINE_START, BucketDescriptor.LENGTH);
        int tries = 0;
        while (true)
        {
            beginLease();
            chunk.enqueue(reader, bucket, space, LINE_START);
            reader.complete();
            checkLease();
            final boolean isLive = BucketDescriptor.isLive(UnsafeApi.getLong(line), table.epoch());
            final long word = UnsafeApi.getLong(line + ChainChunk.slotOffset(slot));
            if (BucketDescriptor.isMigrated(UnsafeApi.getLong(line), table.epoch()))
            {
                leaveUnsettled(chunk.chainIndex(bucket));
                return;
            }
            if (isLive ? word == SlotWord.EMPTY : !chunk.isFirst(bucket))
            {
                return;
            }
            if (isLive && records.read(sweep.shard(), word) == RecordReader.LIVE)
            {
                final boolean belongs = belongsTo(slot, word);
                // An overflow bucket that left the chain may serve another one by now.
                if ((belongs || !chunk.isFirst(bucket)) && tryProve(slot, line, tries))
                {
                    checkLease();
                    if (belongs)
                    {
                        emit();
                    }
                    // Others may need it, however long the rest of the scan takes.
                    buffers.end();
                    return;
                }
            }
            counters.increment(Counters.RETRIES);
            reconnector.checkDeadline("a record kept changing until the deadline passed", WriteFate.NONE);
            Pause.after(tries++);
        }
    }

    private boolean tryProve(final int slot, final long line, final int tries)
    {
        return tries > PATIENT_ATTEMPTS && tries % 2 == 1 ?
            proof.proveChanging(reader, slot, line, tries > MANY_ATTEMPTS, records) :
            proof.proveAlone(reader, slot, line, records, counters);
    }

    /** Whether a record is one that this slot's chain could hold, and not one that took the place of its own. */
    private boolean belongsTo(final int slot, final long word)
    {
        hash = table.hash(records.keyAddress(), records.keyLength());
        return KeyHash.fingerprint(hash) == SlotWord.fingerprint(word) &&
            KeyHash.shard(hash, table.shardCount()) == sweep.shard() &&
            chunk.isOfChain(ChainChunk.bucketOf(slot), hash);
    }

    /** Before READs; {@link #checkLease} follows when they are there, before anything follows from them. */
    private void beginLease()
    {
        lease = attachment.lease().begin();
    }

    private void checkLease()
    {
        if (!attachment.lease().isStillHeld(lease))
        {
            throw new LeaseEndedException();
        }
    }

    private void emit()
    {
        proof.saw(records.version());
        visits.visit(records, hash, table.id());
        if (attempts <= RENEWING_ATTEMPTS)
        {
            // A scan may take as long as it goes on.
            operation.beginStep();
        }
    }
}
