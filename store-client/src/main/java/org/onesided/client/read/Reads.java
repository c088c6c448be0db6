package org.onesided.client.read;

import org.agrona.concurrent.SystemNanoClock;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Counters;
import org.onesided.client.session.ReadDemand;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SessionCore;
import org.onesided.client.session.Table;
import org.onesided.client.session.VerbsReader;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.waiting.Pause;

/**
 * Provides the {@link ReadPath} of a session's lookups, one per attachment. Not thread-safe.
 */
public final class Reads
{
    private static final int LINE_LENGTH = BucketDescriptor.LENGTH;
    private static final int RECORD_SPACE_LENGTH = 288 * 1024;
    /** Lanes for groups; one more lane is for single lookups. */
    private static final int BATCH_LANES = CompletionLoop.LANES - 1;
    /** Time for READs before the lookup asks the server. */
    private static final long PATIENCE_NS = 5_000_000L;

    /** What the READs of a session need. */
    public static final ReadDemand DEMAND = new ReadDemand(
        2 * KeyGroup.MAX_KEYS, LINE_LENGTH + RECORD_SPACE_LENGTH, (long)BATCH_LANES * KeyGroup.SPACE_LENGTH);

    private final Counters counters;
    private final RecordReader.LongRecordSpace longSpace;
    private Attachment attachment;
    private ReadPath path;

    /**
     * @param core of the session.
     */
    public Reads(final SessionCore core)
    {
        this(core.counters(), core.buffers()::longRecord);
    }

    /** As the other constructor, with the parts of the core. */
    Reads(final Counters counters, final RecordReader.LongRecordSpace longSpace)
    {
        this.counters = counters;
        this.longSpace = longSpace;
    }

    /** The path over the session's attachment, for READs that are chosen from here on. */
    ReadPath begin(final Attachment current)
    {
        current.confirmation().look();
        return over(current);
    }

    /** The path over the session's attachment. */
    ReadPath over(final Attachment current)
    {
        if (current != attachment)
        {
            path = path(current);
            attachment = current;
        }
        return path;
    }

    private ReadPath path(final Attachment over)
    {
        final RegisteredBuffer line = over.readSpace().slice(0, LINE_LENGTH);
        final RegisteredBuffer recordSpace = over.readSpace().slice(LINE_LENGTH, RECORD_SPACE_LENGTH);
        final VerbsReader reader = over.reader();
        final Table table = over.table();
        final RecordReader records = new RecordReader(reader, table, recordSpace, longSpace, counters);
        final Lookup lookup = new Lookup(reader, records, table, line, counters,
            new Patience(SystemNanoClock.INSTANCE, PATIENCE_NS, Pause::after));
        return new ReadPath(over, table, reader, records, lookup, recordSpace, over.accesses());
    }
}
