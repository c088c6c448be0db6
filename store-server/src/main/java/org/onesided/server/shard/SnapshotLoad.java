package org.onesided.server.shard;

import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.table.ShardTable;

/**
 * Builds a shard's table and sessions from a snapshot, in steps, before the log behind it is applied. Memory may come
 * later than records do; then a step does nothing, and the next one tries again. Belongs to the shard's thread.
 */
final class SnapshotLoad implements AutoCloseable
{
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int MAX_BUCKETS = 1 << 14;
    private static final int MAX_SPLITS = 64;
    private static final long ROOM_BUDGET = 1 << 14;
    /** Items between two looks at the clock. */
    private static final int ITEMS = 64;
    private static final long NO_EXTENT = -1;

    private final SnapshotReader reader;
    private final ShardTable table;
    private final KeyHash keyHash;
    private final LoggedSessions sessions;
    private final LoggedTime time;
    private final SessionImage image = new SessionImage();
    private final Patience patience = new Patience();
    private final UnsafeBuffer session = new UnsafeBuffer(0, 0);
    private boolean isIndexReady;
    /** What was read and is not stored yet, as there was no room. */
    private SnapshotReader.Item item;
    private long extent = NO_EXTENT;
    private int filled;
    private long longVersion;
    private long longExpiry;

    /**
     * @param reader   of the snapshot, which this closes.
     * @param table    that is empty.
     * @param keyHash  of the table.
     * @param sessions that are none.
     * @param time     of the table.
     */
    SnapshotLoad(
        final SnapshotReader reader,
        final ShardTable table,
        final KeyHash keyHash,
        final LoggedSessions sessions,
        final LoggedTime time)
    {
        this.reader = reader;
        this.table = table;
        this.keyHash = keyHash;
        this.sessions = sessions;
        this.time = time;
    }

    SnapshotHeader header()
    {
        return reader.header();
    }

    /**
     * Goes on for a few milliseconds.
     *
     * @return whether all is loaded.
     */
    boolean step()
    {
        if (!isIndexReady)
        {
            time.set(header().timeMs());
            isIndexReady = table.load().prepareIndex(header().bucketCount(), MAX_BUCKETS);
            return false;
        }
        final long endNs = System.nanoTime() + STEP_NS;
        do
        {
            for (int i = 0; i < ITEMS; i++)
            {
                item = item == null ? reader.next() : item;
                if (item == SnapshotReader.Item.END)
                {
                    finish();
                    return true;
                }
                if (!store())
                {
                    return false;
                }
                item = null;
            }
            table.grow(MAX_SPLITS);
        }
        while (System.nanoTime() - endNs < 0);
        return false;
    }

    private void finish()
    {
        table.load().versionCounter(header().versionCounter());
        reader.close();
    }

    /** Whether the item is stored; if not, there is no room yet. */
    private boolean store()
    {
        switch (item)
        {
            case SESSION ->
            {
                session.wrap(reader.valueAddress(), reader.valueLength());
                image.read(session, 0, reader.valueLength(), sessions, time);
                return true;
            }
            case RECORD ->
            {
                return endOrMakeRoom(table.load().put(
                    hash(), reader.keyAddress(), reader.keyLength(), reader.valueAddress(), reader.valueLength(),
                    reader.version(), reader.expiry()), reader.valueLength());
            }
            case LONG_RECORD ->
            {
                return reserve();
            }
            default ->
            {
                return addPart();
            }
        }
    }

    private long hash()
    {
        return keyHash.hash(reader.keyAddress(), reader.keyLength());
    }

    private boolean reserve()
    {
        extent = table.reserve(hash(), reader.keyAddress(), reader.keyLength(), reader.valueLength());
        if (extent >= 0)
        {
            patience.reset();
            filled = 0;
            longVersion = reader.version();
            longExpiry = reader.expiry();
            return true;
        }
        return endOrMakeRoom(extent == ShardTable.WAIT ? Status.BUSY : table.fullStatus(), reader.valueLength());
    }

    private boolean addPart()
    {
        // A part that was added and not published, for want of memory, comes again.
        if (reader.partLength() > 0 && filled + reader.partLength() + reader.valueLeft() == reader.valueLength())
        {
            UnsafeApi.copyMemory(
                reader.valueAddress(), table.reservations().valueAddress(extent) + filled, reader.partLength());
            filled += reader.partLength();
        }
        if (filled < reader.valueLength())
        {
            return true;
        }
        while (!table.reservations().publishStep(extent, Integer.MAX_VALUE))
        {
            // The whole code is computed here.
        }
        return endOrMakeRoom(table.load().publish(extent, longVersion, longExpiry), 0);
    }

    /** Whether the table has taken it; if not, this makes room for the next step. */
    private boolean endOrMakeRoom(final Status status, final long valueLength)
    {
        if (status == Status.OK)
        {
            patience.reset();
            return true;
        }
        if (status == Status.BUSY || status == Status.GROWTH_REFUSED || status == Status.STORE_FULL &&
            !patience.isOver())
        {
            table.makeRoom(RecordDescriptor.length(
                RecordDescriptor.MAX_KEY_LENGTH, valueLength, RecordDescriptor.EXPIRY_FLAG), ROOM_BUDGET);
            table.grow(MAX_SPLITS);
            return false;
        }
        throw new CannotApplyException("table has no room for the records of its snapshot, give the server more " +
            "memory: status=" + status + " records=" + header().records() + " bytes=" + header().recordBytes());
    }

    @Override
    public void close()
    {
        reader.close();
    }
}
