package org.onesided.server.table;

import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordCheckStream;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Moves one record at a time, with its version kept, as a put out of place writes one: readers at its old place find it
 * dead and look it up again.
 *
 * <ul>
 * <li>To a place apart from its own: the new record whole with check = 1; fence; old check := 0; slot := new; new check
 * := code; fence; the old one's forward := new. A long record is copied in steps, while it is live at its old place.
 * Nobody overwrites it there meanwhile. If its key is put or deleted, or its value lent, the copy is dropped.</li>
 * <li>To a lower place that overlaps its own, if there is no other: new check := 1; old check := 0; the head is copied;
 * slot := new; the rest is copied; new check := code. No record holds the key from the death of the old one on: readers
 * find one that is being written, as in a put, and ask the server if that lasts, which then finishes the move. There is
 * no forward, as the new record lies over the old one's header.</li>
 * </ul>
 *
 * <p>The store of the code is the only step that makes a record live. Not thread-safe.
 */
final class Relocation
{
    private final RecordMemory records;
    private final BucketChains chains;
    private final KeyHash keyHash;
    private final RecordCheckStream stream;
    private final long heapOffset;

    private boolean isUnderWay;
    private boolean isOverlapping;
    private long from;
    private long to;
    private long granules;
    private long copied;
    private long count;
    private long bytes;

    /**
     * @param heapOffset table offset of the heap, in whose granules places are given.
     */
    Relocation(
        final RecordMemory records,
        final BucketChains chains,
        final KeyHash keyHash,
        final RecordCheck check,
        final long heapOffset)
    {
        this.records = records;
        this.chains = chains;
        this.keyHash = keyHash;
        this.heapOffset = heapOffset;
        stream = check.stream();
    }

    /** Moves a record to a place apart from its own, in one step, and zeroes the old place. */
    void move(final long fromGranule, final long toGranule, final long recordGranules)
    {
        final long old = offset(fromGranule);
        final long place = offset(toGranule);
        final long length = recordGranules * SlotWord.GRANULE;
        records.beginWrite(place);
        records.copyBody(old, place, length);
        final long recordLength = records.length(place);
        replace(old, place, recordLength, records.code(records.address(place), recordLength, place));
        records.zero(old, 0, length);
        bytes += length;
    }

    /** Begins to move a record to a place apart from its own. */
    void begin(final long fromGranule, final long toGranule, final long recordGranules)
    {
        begin(fromGranule, toGranule, recordGranules, false);
        records.beginWrite(offset(to));
        copied = RecordDescriptor.VERSION_OFFSET;
    }

    /** Begins to move a record to a lower place that overlaps its own. */
    void beginOverlapping(final long fromGranule, final long toGranule, final long recordGranules)
    {
        begin(fromGranule, toGranule, recordGranules, true);
        final long old = offset(from);
        final long place = offset(to);
        final long hash = keyHash.hash(records.keyAddress(old), records.keyLength(old));
        final long length = records.length(old);
        chains.findRecord(hash, old);
        records.beginWrite(place);
        records.kill(old);
        copied = RecordDescriptor.VERSION_OFFSET;
        copy(RecordDescriptor.KEY_OFFSET + RecordDescriptor.MAX_KEY_LENGTH);
        chains.word(records.word(KeyHash.fingerprint(hash), length, place));
    }

    private void begin(
        final long fromGranule, final long toGranule, final long recordGranules, final boolean overlaps)
    {
        isUnderWay = true;
        isOverlapping = overlaps;
        from = fromGranule;
        to = toGranule;
        granules = recordGranules;
    }

    /**
     * Goes on.
     *
     * @param budget granules to copy or hash at most.
     * @return how many it were.
     */
    long step(final long budget)
    {
        final long place = offset(to);
        long left = Math.min(Math.max(1, budget), 2 * granules) * SlotWord.GRANULE;
        final long before = left;
        if (copied < length())
        {
            left -= copy(left);
        }
        if (left > 0 && copied == length())
        {
            final long hashed = Math.min(left, length());
            stream.update(hashed);
            left -= hashed;
            if (stream.isWhole())
            {
                finish(place);
            }
        }
        return SlotWord.granules(before - left);
    }

    private long copy(final long maxBytes)
    {
        final long part = Math.min(maxBytes, length() - copied);
        records.copyPart(offset(from), offset(to), copied, part);
        copied += part;
        bytes += part;
        if (copied == length())
        {
            stream.reset(records.address(offset(to)), records.length(offset(to)));
        }
        return part;
    }

    private void finish(final long place)
    {
        final long code = stream.code(records.version(place), place);
        isUnderWay = false;
        if (isOverlapping)
        {
            records.publish(place, code);
            count++;
        }
        else
        {
            replace(offset(from), place, records.length(place), code);
        }
    }

    /** The record's new place, where it is written whole, takes over from its old one. */
    private void replace(final long old, final long place, final long length, final long code)
    {
        final long hash = keyHash.hash(records.keyAddress(place), records.keyLength(place));
        chains.findRecord(hash, old);
        records.kill(old);
        final long word = records.word(KeyHash.fingerprint(hash), length, place);
        chains.word(word);
        records.publish(place, code);
        records.forward(old, word);
        count++;
    }

    /**
     * Where a byte of a record is, which may be on its way to a lower place over its old one.
     *
     * @param record its table offset.
     * @param at     place of the byte in the record.
     * @return table offset of the byte.
     */
    long place(final long record, final long at)
    {
        return isUnderWay && isOverlapping && record == offset(to) && at >= copied ? offset(from) + at : record + at;
    }

    /** Drops a move that is under way: what is at the new place is nobody's. */
    void stop()
    {
        isUnderWay = false;
    }

    boolean isUnderWay()
    {
        return isUnderWay;
    }

    /** Whether the old and the new place of the last move overlap. */
    boolean isOverlapping()
    {
        return isOverlapping;
    }

    /** Granule where the last move began. */
    long from()
    {
        return from;
    }

    /** Granule where the last move led to. */
    long to()
    {
        return to;
    }

    /** Granules of the record that moved last. */
    long granules()
    {
        return granules;
    }

    /** Records moved so far. */
    long count()
    {
        return count;
    }

    /** Bytes copied so far, those of dropped moves included. */
    long bytes()
    {
        return bytes;
    }

    private long length()
    {
        return granules * SlotWord.GRANULE;
    }

    private long offset(final long granule)
    {
        return heapOffset + granule * SlotWord.GRANULE;
    }
}
