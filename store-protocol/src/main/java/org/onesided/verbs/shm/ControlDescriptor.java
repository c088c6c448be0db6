package org.onesided.verbs.shm;

import org.agrona.BitUtil;
import org.onesided.verbs.soft.RegionTable;

/**
 * Layout of a context's {@code control} file, which its owner writes and peers read.
 *
 * <pre>
 *   0                   8                   16        20        24
 *  +-------------------+-------------------+---------+---------+
 *  | life word         | process id        | version | padding |   padded to 4096
 *  +-------------------+-------------------+---------+---------+
 *  | entries of the region table                               |   64 bytes each, see RegionEntryDescriptor
 *  +-----------------------------------------------------------+
 * </pre>
 */
final class ControlDescriptor
{
    /** Life word: whether the owner lives. */
    static final int LIFE_OFFSET = 0;
    /** Process id, for diagnosis. */
    static final int PROCESS_ID_OFFSET = LIFE_OFFSET + Long.BYTES;
    /** Version of this and all other layouts of the device. */
    static final int VERSION_OFFSET = PROCESS_ID_OFFSET + Long.BYTES;
    /** First entry of the region table. */
    static final int REGIONS_OFFSET = BitUtil.align(VERSION_OFFSET + Integer.BYTES, 4096);
    /** Length of what exists of the file from the start; the rest comes when there are so many regions. */
    static final int FIRST_LENGTH = REGIONS_OFFSET + RegionTable.FIRST_PLACES * RegionEntryDescriptor.LENGTH;
    /** Length of the file. */
    static final int LENGTH = REGIONS_OFFSET + RegionTable.CAPACITY * RegionEntryDescriptor.LENGTH;

    /** Life word of a context that is in use. */
    static final long ALIVE = 0x4C49_5645_0000_0001L;
    /** Life word of a closed context, or one whose process died. */
    static final long DEAD = 0x4445_4144_0000_0001L;

    /** The version. */
    static final int VERSION = 2;

    private ControlDescriptor()
    {
    }

    static int entryOffset(final int key)
    {
        return REGIONS_OFFSET + RegionTable.index(key) * RegionEntryDescriptor.LENGTH;
    }
}
