package org.onesided.protocol.table;

import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;

/**
 * Layout of a segment directory, which names the registered memory that holds the table, segment by segment. There is
 * one for each of the server's devices, as their keys differ.
 *
 * <pre>
 *   0             4             8             12            16
 *  +-------------+-------------+-------------+-------------+
 *  | count                     | generation                |
 *  +-------------+-------------+-------------+-------------+
 *  | entries: entry 0                              ... 48  |
 *  +-------------+-------------+-------------+-------------+
 *  | entry 1, and so on                                    |
 *  +-------------+-------------+-------------+-------------+
 *
 *  each entry:
 *
 *   0             4             8             12            16
 *  +-------------+-------------+-------------+-------------+
 *  | table offset              | length                    |
 *  +-------------+-------------+-------------+-------------+
 *  | address                   | remote key  | state       |
 *  +-------------+-------------+-------------+-------------+
 * </pre>
 *
 * <p>The writer stores an entry behind the others, and then the count with it. An entry that is counted changes in two
 * ways. It is marked as removed. Or it is written anew, for a segment that comes back or for another one. The
 * generation is odd while that happens, and a higher even number afterwards (a sequence lock).
 *
 * <p>A reader READs count and generation, then the entries, then the generation again; each READ after the one before
 * has completed, as words of one READ may be fetched in any order. If the generation is odd or has changed, it begins
 * again. If the generation is another than the one it knew, it READs all entries, and not only new ones.
 *
 * <p>A segment of an index that is removed is marked before it is deregistered. By then no reader READs it any more,
 * those that attach meanwhile included: it was in the way of none that knows how far splitting has come. A segment of a
 * heap is marked before readers are told to forget all segments and to learn them anew.
 */
public final class SegmentDirectoryDescriptor
{
    /** How many entries there are. */
    public static final int COUNT_OFFSET = 0;
    /** How often an entry was written anew, twice that; odd while one is. */
    public static final int GENERATION_OFFSET = COUNT_OFFSET + Long.BYTES;
    /** Where the entries begin. */
    public static final int ENTRIES_OFFSET = GENERATION_OFFSET + Long.BYTES;

    /** Within an entry: where the segment begins in the table. */
    public static final int TABLE_OFFSET_OFFSET = 0;
    /** Within an entry: length of the segment in bytes. */
    public static final int LENGTH_OFFSET = TABLE_OFFSET_OFFSET + Long.BYTES;
    /** Within an entry: address of the segment at the server. */
    public static final int ADDRESS_OFFSET = LENGTH_OFFSET + Long.BYTES;
    /** Within an entry: key of the segment for the device's peers. */
    public static final int REMOTE_KEY_OFFSET = ADDRESS_OFFSET + Long.BYTES;
    /** Within an entry: {@link #PRESENT} or {@link #REMOVED}. */
    public static final int STATE_OFFSET = REMOTE_KEY_OFFSET + Integer.BYTES;
    /** Length of an entry. */
    public static final int ENTRY_LENGTH = STATE_OFFSET + Integer.BYTES;

    /** State of a segment that is there. */
    public static final int PRESENT = 0;
    /** State of a segment that is no more. */
    public static final int REMOVED = 1;

    /** Most entries that a directory may have; a reader refuses more. */
    public static final int MAX_ENTRIES = 1 << 16;

    private SegmentDirectoryDescriptor()
    {
    }

    /**
     * @param capacity most entries.
     * @return length of a directory for so many entries, in bytes.
     */
    public static long length(final int capacity)
    {
        return entryOffset(capacity);
    }

    /**
     * @param index of an entry, from 0.
     * @return where it begins in the directory.
     */
    public static long entryOffset(final long index)
    {
        return ENTRIES_OFFSET + index * ENTRY_LENGTH;
    }

    /**
     * Adds an entry behind the last one. One thread at a time may do so.
     *
     * @param directory   raw address of the directory.
     * @param index       number of the entries so far.
     * @param tableOffset where the segment begins in the table.
     * @param length      of the segment in bytes.
     * @param address     of the segment at the server.
     * @param remoteKey   of the segment.
     */
    public static void add(
        final long directory,
        final long index,
        final long tableOffset,
        final long length,
        final long address,
        final int remoteKey)
    {
        put(directory + entryOffset(index), tableOffset, length, address, remoteKey);
        UnsafeApi.putLongRelease(null, directory + COUNT_OFFSET, index + 1);
    }

    /**
     * Writes an entry anew whose segment is marked as removed. One thread at a time may do so.
     *
     * @param directory   raw address of the directory.
     * @param index       of the entry.
     * @param tableOffset where the segment begins in the table.
     * @param length      of the segment in bytes.
     * @param address     of the segment at the server.
     * @param remoteKey   of the segment.
     */
    public static void replace(
        final long directory,
        final long index,
        final long tableOffset,
        final long length,
        final long address,
        final int remoteKey)
    {
        final long generation = UnsafeApi.getLong(directory + GENERATION_OFFSET);
        UnsafeApi.putLongRelease(null, directory + GENERATION_OFFSET, generation + 1);
        VarHandle.storeStoreFence();
        put(directory + entryOffset(index), tableOffset, length, address, remoteKey);
        UnsafeApi.putLongRelease(null, directory + GENERATION_OFFSET, generation + 2);
    }

    private static void put(
        final long entry, final long tableOffset, final long length, final long address, final int remoteKey)
    {
        UnsafeApi.putLong(entry + TABLE_OFFSET_OFFSET, tableOffset);
        UnsafeApi.putLong(entry + LENGTH_OFFSET, length);
        UnsafeApi.putLong(entry + ADDRESS_OFFSET, address);
        UnsafeApi.putInt(entry + REMOTE_KEY_OFFSET, remoteKey);
        UnsafeApi.putInt(entry + STATE_OFFSET, PRESENT);
    }

    /**
     * Marks the segment of an entry as removed, before it is; it may come back, see {@link #replace}.
     *
     * @param directory raw address of the directory.
     * @param index     of the entry.
     */
    public static void remove(final long directory, final long index)
    {
        UnsafeApi.putIntRelease(null, directory + entryOffset(index) + STATE_OFFSET, REMOVED);
    }
}
