package org.onesided.server.snapshot;

import static org.onesided.server.snapshot.SnapshotDescriptor.*;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Writes a snapshot: sessions first, then records. What is appended is copied into blocks, which a thread of its own
 * writes, so no call waits for the disk. The file has its name only once it is whole and durable.
 *
 * <p>Belongs to the shard's thread; {@link #state}, {@link #reason}, {@link #bytesWritten} and {@link #await} may be
 * called by any thread. After a failure, or {@link #abort}, what is appended is dropped.
 */
public final class SnapshotWriter
{
    /** How far a snapshot is. */
    public enum State
    {
        /** Not all is written, or not durable yet. */
        WRITING,
        /** The file is there, whole and durable. */
        DONE,
        /** The file is not there, nor its temporary one. */
        FAILED
    }

    private final SnapshotFile file;
    /** Blocks that are being filled, or null. */
    private SnapshotBlock sessionBlock;
    private SnapshotBlock recordBlock;
    private SnapshotBlock partBlock;
    private long sessions;
    private long records;
    private long bytes;
    /** Bytes of the last long value that are still to come. */
    private int valueLeft;
    private boolean isFinished;

    /**
     * Begins a file that belongs to no {@link SnapshotStore}, and starts the thread that writes it.
     *
     * @param path   of the file, in a directory that is there.
     * @param header says what the snapshot is of.
     * @return writes it.
     */
    public static SnapshotWriter to(final Path path, final SnapshotHeader header)
    {
        return new SnapshotWriter(path, header, (bytes) -> {});
    }

    /**
     * Begins a file, and starts the thread that writes it.
     *
     * @param onDone is told how long the file is once it is durable, on that thread.
     */
    SnapshotWriter(final Path path, final SnapshotHeader header, final LongConsumer onDone)
    {
        file = new SnapshotFile(path, header, onDone);
        file.start();
    }

    /**
     * Names what must be durable before the snapshot is: the log up to it. To be called before {@link #finish}.
     *
     * @param forcing does that, on the thread that writes; if it fails, so does the snapshot.
     */
    public void before(final Forcing forcing)
    {
        file.before(forcing);
    }

    /**
     * Tells whether the disk keeps up. If not, the caller should append nothing more for now, but may do so: then the
     * blocks take more memory.
     *
     * @return whether few blocks wait to be written, or all is dropped anyway.
     */
    public boolean hasRoom()
    {
        return file.hasRoom();
    }

    /**
     * Tells whether to append what need not be appended now. Less of that waits for the disk, so that a write which
     * has to be preceded by what it changes finds room.
     *
     * @return whether a walk through the table should go on.
     */
    public boolean hasRoomForWalk()
    {
        return file.hasRoomForWalk();
    }

    /**
     * Says whether others need the disk, such as writes whose log is forced: then the file leaves it to them for most
     * of the time, and takes longer.
     *
     * @param value whether they do from now on.
     */
    public void gentle(final boolean value)
    {
        file.gentle(value);
    }

    /**
     * Appends a session. All of them come before the first record.
     *
     * @param buffer holds it.
     * @param offset where it begins.
     * @param length in bytes, at most {@link SnapshotDescriptor#MAX_SESSION_LENGTH}.
     * @throws IllegalArgumentException if it is too long.
     * @throws IllegalStateException    if a record was appended, or {@link #finish} was called.
     */
    public void session(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 0 || length > MAX_SESSION_LENGTH)
        {
            throw new IllegalArgumentException("a session is too long for a snapshot: length=" + length);
        }
        check(records == 0 && recordBlock == null && !isFinished, "a session must come before the records");
        if (dropIfEnded())
        {
            return;
        }
        sessionBlock = room(sessionBlock, SESSIONS, SESSION_HEADER_LENGTH + length);
        final int at = sessionBlock.take(SESSION_HEADER_LENGTH + length);
        sessionBlock.buffer().putInt(at, length);
        buffer.getBytes(offset, sessionBlock.buffer(), at + SESSION_HEADER_LENGTH, length);
        sessions++;
    }

    /**
     * Appends a record. May also come between the parts of a long value.
     *
     * @param keyAddress   raw address of the key.
     * @param keyLength    in bytes.
     * @param valueAddress raw address of the value.
     * @param valueLength  in bytes, at most {@link SnapshotDescriptor#MAX_SHORT_VALUE_LENGTH}.
     * @param version      of the record.
     * @param expiry       of the record.
     * @throws IllegalArgumentException if a length is out of range.
     * @throws IllegalStateException    if {@link #finish} was called.
     */
    public void record(
        final long keyAddress,
        final int keyLength,
        final long valueAddress,
        final int valueLength,
        final long version,
        final long expiry)
    {
        checkLengths(keyLength, valueLength, 0, MAX_SHORT_VALUE_LENGTH);
        check(!isFinished, "the snapshot is finished");
        if (dropIfEnded())
        {
            return;
        }
        endSessions();
        final int length = RECORD_KEY_OFFSET + keyLength + valueLength;
        recordBlock = room(recordBlock, RECORDS, length);
        final int at = recordBlock.take(length);
        writeRecord(recordBlock, at, keyAddress, keyLength, valueLength, version, expiry);
        UnsafeApi.copyMemory(valueAddress, recordBlock.address(at + RECORD_KEY_OFFSET + keyLength), valueLength);
        bytes += valueLength;
    }

    /**
     * Appends a record with a longer value, whose parts follow.
     *
     * @param keyAddress  raw address of the key.
     * @param keyLength   in bytes.
     * @param valueLength in bytes, more than {@link SnapshotDescriptor#MAX_SHORT_VALUE_LENGTH}.
     * @param version     of the record.
     * @param expiry      of the record.
     * @throws IllegalArgumentException if a length is out of range.
     * @throws IllegalStateException    if the value before is not whole, or {@link #finish} was called.
     */
    public void longRecord(
        final long keyAddress, final int keyLength, final int valueLength, final long version, final long expiry)
    {
        checkLengths(keyLength, valueLength, MAX_SHORT_VALUE_LENGTH + 1, MAX_VALUE_LENGTH);
        check(valueLeft == 0 && !isFinished, "the value before is not whole, or the snapshot is finished");
        if (dropIfEnded())
        {
            return;
        }
        endSessions();
        final SnapshotBlock block = file.take(LONG_RECORD);
        final int at = block.take(RECORD_KEY_OFFSET + keyLength);
        writeRecord(block, at, keyAddress, keyLength, valueLength, version, expiry);
        file.put(block);
        valueLeft = valueLength;
    }

    /**
     * Appends the next part of the last long value.
     *
     * @param address raw address of the part.
     * @param length  in bytes, at least 1.
     * @throws IllegalArgumentException if it is longer than what is missing of the value.
     */
    public void valuePart(final long address, final int length)
    {
        if (dropIfEnded())
        {
            return;
        }
        if (length < 1 || length > valueLeft)
        {
            throw new IllegalArgumentException("no such part is missing: length=" + length + " missing=" + valueLeft);
        }
        int done = 0;
        while (done < length)
        {
            partBlock = room(partBlock, VALUE_PART, 1);
            final int part = Math.min(length - done, partBlock.room());
            UnsafeApi.copyMemory(address + done, partBlock.address(partBlock.take(part)), part);
            done += part;
        }
        bytes += length;
        valueLeft -= length;
        if (valueLeft == 0)
        {
            file.put(partBlock);
            partBlock = null;
        }
    }

    /**
     * Says that all was appended: what is left is written and made durable in the background.
     *
     * @throws IllegalStateException if the last value is not whole.
     */
    public void finish()
    {
        if (dropIfEnded() || isFinished)
        {
            return;
        }
        check(valueLeft == 0, "the last value is not whole");
        endSessions();
        if (recordBlock != null)
        {
            file.put(recordBlock);
            recordBlock = null;
        }
        final SnapshotBlock block = file.take(FOOTER);
        final int at = block.take(FOOTER_LENGTH);
        final ByteBuffer buffer = block.buffer();
        buffer.putLong(at + FOOTER_SESSIONS_OFFSET, sessions);
        buffer.putLong(at + FOOTER_RECORDS_OFFSET, records);
        buffer.putLong(at + FOOTER_BYTES_OFFSET, bytes);
        file.put(block);
        isFinished = true;
    }

    /** Gives the snapshot up, unless it is done. Does not wait for that. */
    public void abort()
    {
        file.abort();
        dropIfEnded();
    }

    /**
     * @return how far it is.
     */
    public State state()
    {
        // Asked in this order, as it may become done in between.
        return file.isWriting() ? State.WRITING : file.isDone() ? State.DONE : State.FAILED;
    }

    /**
     * @return why it has failed, in one line; null if it has not.
     */
    public String reason()
    {
        return file.reason();
    }

    /**
     * @return bytes written to the file so far.
     */
    public long bytesWritten()
    {
        return file.bytesWritten();
    }

    /**
     * Waits until the thread that writes has ended.
     *
     * @param timeoutMs to wait at most.
     * @return whether it has ended.
     * @throws InterruptedException if the caller is interrupted.
     */
    public boolean await(final long timeoutMs) throws InterruptedException
    {
        return file.join(timeoutMs);
    }

    private void writeRecord(
        final SnapshotBlock block,
        final int at,
        final long keyAddress,
        final int keyLength,
        final int valueLength,
        final long version,
        final long expiry)
    {
        final ByteBuffer buffer = block.buffer();
        buffer.putLong(at + RECORD_VERSION_OFFSET, version);
        buffer.putLong(at + RECORD_EXPIRY_OFFSET, expiry);
        buffer.putInt(at + RECORD_KEY_LENGTH_OFFSET, keyLength);
        buffer.putInt(at + RECORD_VALUE_LENGTH_OFFSET, valueLength);
        UnsafeApi.copyMemory(keyAddress, block.address(at + RECORD_KEY_OFFSET), keyLength);
        records++;
        bytes += keyLength;
    }

    /** A block of the kind with so much room: the one that is being filled, or another once that is full. */
    private SnapshotBlock room(final SnapshotBlock filled, final int kind, final int length)
    {
        if (filled != null && filled.room() >= length)
        {
            return filled;
        }
        if (filled != null)
        {
            file.put(filled);
        }
        return file.take(kind);
    }

    private void endSessions()
    {
        if (sessionBlock != null)
        {
            file.put(sessionBlock);
            sessionBlock = null;
        }
    }

    /** Gives back the blocks that are being filled, if nothing is written any more. Tells whether that is so. */
    private boolean dropIfEnded()
    {
        if (file.isWriting())
        {
            return false;
        }
        if (sessionBlock != null)
        {
            sessionBlock.free();
            sessionBlock = null;
        }
        if (recordBlock != null)
        {
            recordBlock.free();
            recordBlock = null;
        }
        if (partBlock != null)
        {
            partBlock.free();
            partBlock = null;
        }
        return true;
    }

    private static void checkLengths(final int keyLength, final int valueLength, final int least, final int most)
    {
        if (keyLength < 1 || keyLength > MAX_KEY_LENGTH || valueLength < least || valueLength > most)
        {
            throw new IllegalArgumentException("a record's lengths are out of range: keyLength=" + keyLength +
                " valueLength=" + valueLength);
        }
    }

    private static void check(final boolean isAllowed, final String message)
    {
        if (!isAllowed)
        {
            throw new IllegalStateException(message);
        }
    }
}
