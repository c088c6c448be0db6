package org.onesided.server.snapshot;

import static org.onesided.server.snapshot.SnapshotDescriptor.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.onesided.server.disk.DiskFiles;

/**
 * The thread that writes a snapshot's blocks to its file. Blocks go round: the shard's thread takes empty ones and puts
 * full ones. A block belongs to the thread that holds it, or to nobody while it is in a queue.
 */
final class SnapshotFile
{
    /** Full blocks that may wait before the shard should, and before its walk should: then writes still go on. */
    private static final int MAX_WAITING = 8;
    private static final int MAX_OF_WALK = 4;
    /** After so many bytes they are forced: then the log's own forcing has less to wait for at a time. */
    private static final long FORCE_BYTES = 1 << 20;
    /** The same while the shard takes writes. */
    private static final long GENTLE_FORCE_BYTES = 256 << 10;
    /** Then the disk is left to the log for so many times as long as that took, up to a time. */
    private static final int RESTS = 3;
    private static final long MAX_REST_NS = 10_000_000;
    /** The thread looks so often whether it was aborted, should it not be woken, in nanoseconds. */
    private static final long PARK_NS = 1_000_000_000;

    private final Path path;
    private final SnapshotHeader header;
    private final LongConsumer onDone;
    private final long id = ThreadLocalRandom.current().nextLong();
    private final Queue<SnapshotBlock> full = new ConcurrentLinkedQueue<>();
    private final Queue<SnapshotBlock> empty = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Thread thread;
    private volatile Forcing before = () -> {};
    private volatile boolean isDone;
    /** The thread has failed, or was aborted and has seen that. */
    private volatile boolean isFailed;
    private volatile boolean isAborted;
    private volatile boolean isGentle;
    private volatile long written;
    private volatile String reason;
    private boolean isCommitted;
    private long forced;
    private int number;
    private long checksum;

    SnapshotFile(final Path path, final SnapshotHeader header, final LongConsumer onDone)
    {
        this.path = path;
        this.header = header;
        this.onDone = onDone;
        thread = new Thread(this::run, "store-snapshot-" + header.shard());
        thread.setDaemon(true);
    }

    /** What is done before the file gets its name. */
    void before(final Forcing forcing)
    {
        before = forcing;
    }

    void start()
    {
        thread.start();
    }

    /** An empty block of a kind. */
    SnapshotBlock take(final int kind)
    {
        final SnapshotBlock used = empty.poll();
        final SnapshotBlock block = used == null ? new SnapshotBlock() : used;
        block.begin(kind);
        return block;
    }

    /** Has a block written. */
    void put(final SnapshotBlock block)
    {
        waiting.incrementAndGet();
        full.add(block);
        if (!isDone && !isFailed)
        {
            LockSupport.unpark(thread);
        }
        else
        {
            // The thread may have ended before the block came.
            freeAll();
        }
    }

    boolean hasRoom()
    {
        return hasRoom(MAX_WAITING);
    }

    boolean hasRoomForWalk()
    {
        return hasRoom(MAX_OF_WALK);
    }

    private boolean hasRoom(final int most)
    {
        return waiting.get() < most || !isWriting();
    }

    /** Whether to leave the disk to the log most of the time from now on. */
    void gentle(final boolean value)
    {
        isGentle = value;
    }

    /** Has no effect once the file gets its name. */
    void abort()
    {
        synchronized (this)
        {
            isAborted = !isCommitted;
        }
        LockSupport.unpark(thread);
    }

    private synchronized boolean commit()
    {
        isCommitted = !isAborted;
        return isCommitted;
    }

    /** Whether the file may still come. */
    boolean isWriting()
    {
        return !isDone && !isFailed && !isAborted;
    }

    /** Whether the file is there, whole and durable. */
    boolean isDone()
    {
        return isDone;
    }

    String reason()
    {
        return isAborted ? "aborted: file=" + path : reason;
    }

    long bytesWritten()
    {
        return written;
    }

    boolean join(final long timeoutMs) throws InterruptedException
    {
        thread.join(Math.max(1, timeoutMs));
        return !thread.isAlive();
    }

    private void run()
    {
        final Path temporary = DiskFiles.temporary(path);
        try
        {
            try (FileChannel channel = DiskFiles.create(temporary))
            {
                writeStart(channel);
                writeBlocks(channel);
                channel.force(true);
            }
            before.force();
            if (!commit())
            {
                throw new IOException("aborted");
            }
            DiskFiles.publish(temporary, path);
            onDone.accept(written);
            isDone = true;
        }
        // Whatever it is, the file is of no use, and the shard must know.
        catch (final Throwable e)
        {
            DiskFiles.deleteQuietly(temporary, e);
            reason = "snapshot cannot be written: file=" + path + " cause=" + e;
            isFailed = true;
        }
        finally
        {
            freeAll();
        }
    }

    private void writeStart(final FileChannel channel) throws IOException
    {
        final ByteBuffer prologue = ByteBuffer.allocate(PROLOGUE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        prologue.putLong(MAGIC_OFFSET, MAGIC).putInt(FORMAT_OFFSET, FORMAT);
        final CRC32C crc = new CRC32C();
        crc.update(prologue.array(), 0, PROLOGUE_CRC_OFFSET);
        prologue.putInt(PROLOGUE_CRC_OFFSET, (int)crc.getValue());
        DiskFiles.writeAll(channel, prologue);
        written = PROLOGUE_LENGTH;
        final SnapshotBlock block = take(HEADER);
        header.write(block.buffer(), block.take(HEADER_LENGTH), id);
        write(channel, block, 0);
    }

    private void writeBlocks(final FileChannel channel) throws IOException
    {
        boolean isLast = false;
        while (!isLast)
        {
            if (isAborted)
            {
                throw new IOException("aborted");
            }
            final SnapshotBlock block = full.poll();
            if (block == null)
            {
                LockSupport.parkNanos(this, PARK_NS);
                continue;
            }
            isLast = block.kind() == FOOTER;
            if (isLast)
            {
                block.buffer().putLong(BLOCK_HEADER_LENGTH + FOOTER_CHECKSUM_OFFSET, checksum);
            }
            write(channel, block, id);
            waiting.decrementAndGet();
        }
    }

    private void write(final FileChannel channel, final SnapshotBlock block, final long blockId) throws IOException
    {
        block.seal(blockId, number++);
        checksum = block.addTo(checksum);
        try
        {
            DiskFiles.writeAll(channel, block.buffer());
            written += BLOCK_HEADER_LENGTH + block.length();
        }
        finally
        {
            block.buffer().clear();
            empty.add(block);
        }
        if (written - forced >= (isGentle ? GENTLE_FORCE_BYTES : FORCE_BYTES))
        {
            final long beginNs = System.nanoTime();
            channel.force(false);
            forced = written;
            rest(System.nanoTime() - beginNs);
        }
    }

    private void rest(final long forcedNs)
    {
        final long restNs = Math.min(RESTS * forcedNs, MAX_REST_NS);
        final long beginNs = System.nanoTime();
        long leftNs = restNs;
        while (leftNs > 0 && isGentle && !isAborted && waiting.get() <= MAX_OF_WALK)
        {
            // Each block that comes ends a park. More blocks than the walk makes are of writes, which wait.
            LockSupport.parkNanos(this, leftNs);
            leftNs = restNs - (System.nanoTime() - beginNs);
        }
    }

    private void freeAll()
    {
        for (SnapshotBlock block = full.poll(); block != null; block = full.poll())
        {
            block.free();
        }
        for (SnapshotBlock block = empty.poll(); block != null; block = empty.poll())
        {
            block.free();
        }
    }
}
