package org.onesided.server.backup;

/**
 * Layout of a backup: a prologue and a header, then the snapshot of each shard, in their order, and a footer; nothing
 * is behind it. All numbers are little-endian.
 *
 * <pre>
 *  +----------+--------+------------------------+-----+------------------------+--------+
 *  | prologue | header | section | snapshot of 0 | ... | section | snapshot of N | footer |
 *  +----------+--------+------------------------+-----+------------------------+--------+
 * </pre>
 *
 * <p>The prologue says which format follows. It is the same in all formats, so that an older version can refuse a newer
 * format:
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | magic                                             |
 *  +-------------------------+-------------------------+
 *  | format                  | CRC32C of the 12 before |
 *  +-------------------------+-------------------------+
 * </pre>
 *
 * <p>The header:
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | id                                                |
 *  +-------------------------+-------------------------+
 *  | table id                                          |
 *  +-------------------------+-------------------------+
 *  | hash seed                                         |
 *  +-------------------------+-------------------------+
 *  | check seed                                        |
 *  +-------------------------+-------------------------+
 *  | created                                           |
 *  +-------------------------+-------------------------+
 *  | version of the server, 48 bytes                   |
 *  +-------------------------+-------------------------+
 *  | shards                  | CRC32C of all before    |
 *  +-------------------------+-------------------------+
 * </pre>
 *
 * <p>A section is followed by a snapshot file of that length ({@code SnapshotDescriptor}), with one session: that of
 * the shard itself, so there are no secrets and no answers of clients. The CRC32C is that of the id and of the 12 bytes
 * before it:
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | length                                            |
 *  +-------------------------+-------------------------+
 *  | shard                   | CRC32C                  |
 *  +-------------------------+-------------------------+
 * </pre>
 *
 * <p>The footer. The length is that of all bytes before it; the CRC32C is that of these bytes, and of the 20 before it
 * in the footer:
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | id                                                |
 *  +-------------------------+-------------------------+
 *  | length                                            |
 *  +-------------------------+-------------------------+
 *  | shards                  | CRC32C                  |
 *  +-------------------------+-------------------------+
 * </pre>
 */
public final class BackupDescriptor
{
    /** Format of backups that this version writes, and the newest that it reads. */
    public static final int FORMAT = 1;

    /** "ONEBACK1" as bytes: a backup. */
    static final long MAGIC = 0x314B_4341_4245_4E4FL;
    /** Offset of the magic in the backup. */
    static final int MAGIC_OFFSET = 0;
    /** Offset of the format in the backup. */
    static final int FORMAT_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Offset of the prologue's CRC32C in the backup. */
    static final int PROLOGUE_CRC_OFFSET = FORMAT_OFFSET + Integer.BYTES;
    /** Length of the prologue. */
    static final int PROLOGUE_LENGTH = PROLOGUE_CRC_OFFSET + Integer.BYTES;

    /** Longest version of a server, in bytes. */
    static final int VERSION_LENGTH = 48;
    /** Offset of the backup's id in the header. */
    static final int ID_OFFSET = 0;
    /** Offset of the table's id. */
    static final int TABLE_ID_OFFSET = ID_OFFSET + Long.BYTES;
    /** Offset of the seed of the keys' hashes. */
    static final int HASH_SEED_OFFSET = TABLE_ID_OFFSET + Long.BYTES;
    /** Offset of the seed of the records' check words. */
    static final int CHECK_SEED_OFFSET = HASH_SEED_OFFSET + Long.BYTES;
    /** Offset of the wall clock's time, in milliseconds since 1970. */
    static final int CREATED_OFFSET = CHECK_SEED_OFFSET + Long.BYTES;
    /** Offset of the server's version, UTF-8, filled up with 0. */
    static final int VERSION_OFFSET = CREATED_OFFSET + Long.BYTES;
    /** Offset of the number of shards. */
    static final int SHARDS_OFFSET = VERSION_OFFSET + VERSION_LENGTH;
    /** Offset of the header's CRC32C. */
    static final int HEADER_CRC_OFFSET = SHARDS_OFFSET + Integer.BYTES;
    /** Length of the header. */
    static final int HEADER_LENGTH = HEADER_CRC_OFFSET + Integer.BYTES;

    /** Offset of the snapshot's length in a section. */
    static final int SECTION_LENGTH_OFFSET = 0;
    /** Offset of the shard's number. */
    static final int SECTION_SHARD_OFFSET = SECTION_LENGTH_OFFSET + Long.BYTES;
    /** Offset of the section's CRC32C. */
    static final int SECTION_CRC_OFFSET = SECTION_SHARD_OFFSET + Integer.BYTES;
    /** Length of a section, without the snapshot. */
    static final int SECTION_LENGTH = SECTION_CRC_OFFSET + Integer.BYTES;

    /** Offset of the backup's id in the footer. */
    static final int FOOTER_ID_OFFSET = 0;
    /** Offset of the length of all before. */
    static final int FOOTER_LENGTH_OFFSET = FOOTER_ID_OFFSET + Long.BYTES;
    /** Offset of the number of shards. */
    static final int FOOTER_SHARDS_OFFSET = FOOTER_LENGTH_OFFSET + Long.BYTES;
    /** Offset of the CRC32C of all before. */
    static final int FOOTER_CRC_OFFSET = FOOTER_SHARDS_OFFSET + Integer.BYTES;
    /** Length of the footer. */
    static final int FOOTER_LENGTH = FOOTER_CRC_OFFSET + Integer.BYTES;

    private BackupDescriptor()
    {
    }
}
