package org.onesided.verbs.shm;

import org.agrona.BitUtil;

/**
 * Layout of an entry of the region table. The key is written last and cleared first, so that an entry with the right
 * key is whole.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | key     | access  | domain  | file    |
 *  +---------+---------+---------+---------+
 *  | address           | length            |
 *  +---------+---------+---------+---------+
 *  | offset in file    | padding           |
 *  +---------+---------+                   |
 *  |                                       |
 *  +---------+---------+---------+---------+
 * </pre>
 */
final class RegionEntryDescriptor
{
    /** The region's key, 0 for none. */
    static final int KEY_OFFSET = 0;
    /** Access flags. */
    static final int ACCESS_OFFSET = KEY_OFFSET + Integer.BYTES;
    /** Number of the protection domain. */
    static final int DOMAIN_OFFSET = ACCESS_OFFSET + Integer.BYTES;
    /** Number of the memory file. */
    static final int FILE_OFFSET = DOMAIN_OFFSET + Integer.BYTES;
    /** Address of the first byte in the owner's process. */
    static final int ADDRESS_OFFSET = FILE_OFFSET + Integer.BYTES;
    /** Length in bytes. */
    static final int LENGTH_OFFSET = ADDRESS_OFFSET + Long.BYTES;
    /** Where the first byte is in the memory file. */
    static final int OFFSET_IN_FILE_OFFSET = LENGTH_OFFSET + Long.BYTES;
    /** Length of an entry. */
    static final int LENGTH = BitUtil.align(OFFSET_IN_FILE_OFFSET + Long.BYTES, BitUtil.CACHE_LINE_LENGTH);

    private RegionEntryDescriptor()
    {
    }
}
