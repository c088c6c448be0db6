package org.onesided.server.shard.snapshot;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.shard.apply.CannotApplyException;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.proposal.MemoryWait;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.table.LongPuts;
import org.onesided.server.table.ShardTable;

/**
 * Builds a shard's table and sessions from a snapshot, in steps, before the log behind it is applied. Memory may come
 * later than records do; then a step does nothing, and the next one tries again. Belongs to the shard's thread.
 */
public final class SnapshotLoad implements AutoCloseable
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
    private final MemoryWait memoryWait;
    private final SessionImage image = new SessionImage();
    private final UnsafeBuffer session = new UnsafeBuffer(0, 0);
    private boolean isIndexReady;
    private boolean isLoaded;
    /** What was read and is not stored yet, as there was no room. */
    private SnapshotReader.Item item;
    private long extent = NO_EXTENT;
    private int filled;
    private long longVersion;
    private long longExpiry;

    /**
     * @param reader    of the snapshot, which this closes.
     * @param table     that is empty.
     * @param keyHash   of the table.
     * @param sessions  that are none.
     * @param time      of the table.
     * @param nanoClock tells how long memory is waited for.
     */
    public SnapshotLoad(
        final SnapshotReader reader,
        final ShardTable table,
        final KeyHash keyHash,
        final LoggedSessions sessions,
        final LoggedTime time,
        final LongSupplier nanoClock)
    {
        this.reader = reader;
        this.table = table;
        this.keyHash = keyHash;
        this.sessions = sessions;
        this.time = time;
        memoryWait = new MemoryWait(nanoClock);
    }

    SnapshotHeader header()
    {
        return reader.header();
    }

    /** Bytes of the snapshot that were read so far. */
    long position()
    {
        return reader.position();
    }

    /** Whether all is loaded. */
    boolean isLoaded()
    {
        return isLoaded;
    }

    /**
     * Goes on for a few milliseconds.
     *
     * @return how much was done; 0 while memory is on its way, which nothing but time brings.
     * @throws CannotApplyException if there is too little memory, or {@link MemoryWait} says that none comes.
     */
    int step()
    {
        final int done = isIndexReady ? load() : prepareIndex();
        if (done == 0 && !memoryWait.goOn())
        {
            throw new CannotApplyException("memory for the records of the snapshot does not come, free some of the " +
                "machine's: waited=" + memoryWait.waitedSeconds() + "s records=" + header().records() + " bytes=" +
                header().recordBytes());
        }
        if (done > 0)
        {
            memoryWait.onProgress();
        }
        return done;
    }

    private int prepareIndex()
    {
        time.set(header().timeMs());
        final long before = table.statistics().buckets();
        isIndexReady = table.load().prepareIndex(header().bucketCount(), MAX_BUCKETS);
        if (!isIndexReady && table.statistics().buckets() == before)
        {
            return 0;
        }
        memoryWait.end();
        return 1;
    }

    private int load()
    {
        int done = 0;
        final long endNs = System.nanoTime() + STEP_NS;
        do
        {
            for (int i = 0; i < ITEMS; i++)
            {
                item = item == null ? reader.next() : item;
                if (item == SnapshotReader.Item.END)
                {
                    finish();
                    return done + 1;
                }
                if (!store())
                {
                    return done + makeRoom();
                }
                item = null;
                done++;
            }
            table.grow(MAX_SPLITS);
        }
        while (System.nanoTime() - endNs < 0);
        return done;
    }

    private void finish()
    {
        table.load().versionCounter(header().versionCounter());
        reader.close();
        isLoaded = true;
    }

    /** For the item that was not stored. */
    private int makeRoom()
    {
        // The last part of a long value has its room, and waits for that of the index.
        final int valueLength = item == SnapshotReader.Item.VALUE_PART ? 0 : reader.valueLength();
        final long moved = table.makeRoom(RecordDescriptor.length(
            RecordDescriptor.MAX_KEY_LENGTH, valueLength, RecordDescriptor.EXPIRY_FLAG), ROOM_BUDGET);
        return table.grow(MAX_SPLITS) > 0 || moved > 0 ? 1 : 0;
    }

    /** Stores the item; returns false if there is no room yet. */
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
                return endWaitIfTaken(table.load().put(
                    hash(), reader.keyAddress(), reader.keyLength(), reader.valueAddress(), reader.valueLength(),
                    reader.version(), reader.expiry()));
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
        extent = table.longPuts().reserve(hash(), reader.keyAddress(), reader.keyLength(), reader.valueLength());
        if (extent >= 0)
        {
            memoryWait.end();
            filled = 0;
            longVersion = reader.version();
            longExpiry = reader.expiry();
            return true;
        }
        return endWaitIfTaken(extent == LongPuts.WAIT ? Status.BUSY : table.fullStatus());
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
        return endWaitIfTaken(table.load().publish(extent, longVersion, longExpiry));
    }

    /** Returns whether the table has taken it; if not, it may once there is room. */
    private boolean endWaitIfTaken(final Status status)
    {
        if (status == Status.OK)
        {
            memoryWait.end();
            return true;
        }
        if (status == Status.BUSY || status == Status.GROWTH_REFUSED ||
            status == Status.STORE_FULL && memoryWait.goOn())
        {
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
