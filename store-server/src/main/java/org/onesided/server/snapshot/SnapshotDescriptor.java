package org.onesided.server.snapshot;

/**
 * Layout of a snapshot file: a prologue, then blocks of at most 1 MiB, one behind the other, and nothing behind the
 * last one. All numbers are little-endian. Blocks come in this order:
 *
 * <pre>
 *  +----------+--------+--------------+------------------------------------------+--------+
 *  | prologue | HEADER | SESSIONS ... | RECORDS, LONG_RECORD and VALUE_PART ...  | FOOTER |
 *  +----------+--------+--------------+------------------------------------------+--------+
 * </pre>
 *
 * <p>A LONG_RECORD is followed by the VALUE_PARTs of its value, with RECORDS between them, but no other LONG_RECORD.
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
 * <p>A block:
 *
 * <pre>
 *   0        1                4                         8 bytes
 *  +--------+----------------+-------------------------+
 *  | kind   | 0              | length of the body      |
 *  +--------+----------------+-------------------------+
 *  | number of the block     | CRC32C                  |
 *  +-------------------------+-------------------------+
 *  | body                                              |
 *  :                                                   :
 * </pre>
 *
 * <p>Numbers count from 0. The CRC32C is that of the snapshot's id, the 12 bytes before it, and the body. The id is in
 * the header, whose own block is computed with 0 instead: so no block of another file is taken for one of this.
 *
 * <p>Body of HEADER:
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | id                                                |
 *  +-------------------------+-------------------------+
 *  | table id                                          |
 *  +-------------------------+-------------------------+
 *  | shard                   | shards                  |
 *  +-------------------------+-------------------------+
 *  | log term                                          |
 *  +-------------------------+-------------------------+
 *  | log index                                         |
 *  +-------------------------+-------------------------+
 *  | time of the shard                                 |
 *  +-------------------------+-------------------------+
 *  | version counter                                   |
 *  +-------------------------+-------------------------+
 *  | bucket count                                      |
 *  +-------------------------+-------------------------+
 *  | records                                           |
 *  +-------------------------+-------------------------+
 *  | record bytes                                      |
 *  +-------------------------+-------------------------+
 *  | created                                           |
 *  +-------------------------+-------------------------+
 * </pre>
 *
 * <p>Body of SESSIONS: for each session 4 bytes with its length, and so many bytes. Body of RECORDS: records, one
 * behind the other. Body of LONG_RECORD: one record, without its value. Body of VALUE_PART: the next bytes of the
 * value. A record:
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | version                                           |
 *  +-------------------------+-------------------------+
 *  | expiry                                            |
 *  +-------------------------+-------------------------+
 *  | key length              | value length            |
 *  +-------------------------+-------------------------+
 *  | key ...                                           |
 *  +-------------------------+-------------------------+
 *  | value ...                                         |
 *  :                                                   :
 * </pre>
 *
 * <p>Body of FOOTER. The checksum is made of the CRC32Cs of all blocks before it, in their order:
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | sessions                                          |
 *  +-------------------------+-------------------------+
 *  | records                                           |
 *  +-------------------------+-------------------------+
 *  | key and value bytes                               |
 *  +-------------------------+-------------------------+
 *  | checksum                                          |
 *  +-------------------------+-------------------------+
 * </pre>
 */
public final class SnapshotDescriptor
{
    /** Format of files that this version writes, and the newest that it reads. */
    public static final int FORMAT = 1;

    /** "ONESNAP1" as bytes: a snapshot. */
    static final long MAGIC = 0x3150_414E_5345_4E4FL;
    /** Offset of the magic in the file. */
    static final int MAGIC_OFFSET = 0;
    /** Offset of the format in the file. */
    static final int FORMAT_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Offset of the prologue's CRC32C in the file. */
    static final int PROLOGUE_CRC_OFFSET = FORMAT_OFFSET + Integer.BYTES;
    /** Length of the prologue. */
    static final int PROLOGUE_LENGTH = PROLOGUE_CRC_OFFSET + Integer.BYTES;

    /** Offset of a block's kind, a byte. */
    static final int KIND_OFFSET = 0;
    /** Offset of the length of a block's body. */
    static final int LENGTH_OFFSET = KIND_OFFSET + Integer.BYTES;
    /** Offset of a block's number. */
    static final int NUMBER_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** Offset of a block's CRC32C. */
    static final int CRC_OFFSET = NUMBER_OFFSET + Integer.BYTES;
    /** Length of what stands before a block's body. */
    static final int BLOCK_HEADER_LENGTH = CRC_OFFSET + Integer.BYTES;

    /** Kind of the first block. */
    static final int HEADER = 1;
    /** Kind of blocks with sessions. */
    static final int SESSIONS = 2;
    /** Kind of blocks with short records. */
    static final int RECORDS = 3;
    /** Kind of blocks that begin a record with a long value. */
    static final int LONG_RECORD = 4;
    /** Kind of blocks with the next bytes of that value. */
    static final int VALUE_PART = 5;
    /** Kind of the last block. */
    static final int FOOTER = 6;

    /** Longest session in bytes. */
    public static final int MAX_SESSION_LENGTH = 1 << 20;
    /** Length of what stands before a session. */
    static final int SESSION_HEADER_LENGTH = Integer.BYTES;
    /** Longest body of a block. */
    static final int MAX_BODY_LENGTH = SESSION_HEADER_LENGTH + MAX_SESSION_LENGTH;

    /** Offset of the snapshot's id in the body of HEADER. */
    static final int ID_OFFSET = 0;
    /** Offset of the table's id. */
    static final int TABLE_ID_OFFSET = ID_OFFSET + Long.BYTES;
    /** Offset of the shard's number. */
    static final int SHARD_OFFSET = TABLE_ID_OFFSET + Long.BYTES;
    /** Offset of the number of shards. */
    static final int SHARDS_OFFSET = SHARD_OFFSET + Integer.BYTES;
    /** Offset of the term of the log's entry. */
    static final int TERM_OFFSET = SHARDS_OFFSET + Integer.BYTES;
    /** Offset of the index of the log's entry. */
    static final int INDEX_OFFSET = TERM_OFFSET + Long.BYTES;
    /** Offset of the shard's time. */
    static final int TIME_OFFSET = INDEX_OFFSET + Long.BYTES;
    /** Offset of the version of the last write. */
    static final int VERSION_COUNTER_OFFSET = TIME_OFFSET + Long.BYTES;
    /** Offset of the number of buckets in use. */
    static final int BUCKET_COUNT_OFFSET = VERSION_COUNTER_OFFSET + Long.BYTES;
    /** Offset of the number of records that the shard counted. */
    static final int RECORDS_OFFSET = BUCKET_COUNT_OFFSET + Long.BYTES;
    /** Offset of the bytes of records that the shard counted. */
    static final int RECORD_BYTES_OFFSET = RECORDS_OFFSET + Long.BYTES;
    /** Offset of the wall clock's time. */
    static final int CREATED_OFFSET = RECORD_BYTES_OFFSET + Long.BYTES;
    /** Length of the body of HEADER. */
    static final int HEADER_LENGTH = CREATED_OFFSET + Long.BYTES;

    /** Offset of a record's version. */
    static final int RECORD_VERSION_OFFSET = 0;
    /** Offset of a record's expiry. */
    static final int RECORD_EXPIRY_OFFSET = RECORD_VERSION_OFFSET + Long.BYTES;
    /** Offset of the length of a record's key. */
    static final int RECORD_KEY_LENGTH_OFFSET = RECORD_EXPIRY_OFFSET + Long.BYTES;
    /** Offset of the length of a record's value. */
    static final int RECORD_VALUE_LENGTH_OFFSET = RECORD_KEY_LENGTH_OFFSET + Integer.BYTES;
    /** Offset of a record's key, and behind it the value. */
    static final int RECORD_KEY_OFFSET = RECORD_VALUE_LENGTH_OFFSET + Integer.BYTES;

    /** Longest key in bytes. */
    static final int MAX_KEY_LENGTH = 4096;
    /** Longest value that is in a block with its key, in bytes. */
    public static final int MAX_SHORT_VALUE_LENGTH = 64 << 10;
    /** Longest value in bytes. */
    static final int MAX_VALUE_LENGTH = 64 << 20;

    /** Offset of the number of sessions in the body of FOOTER. */
    static final int FOOTER_SESSIONS_OFFSET = 0;
    /** Offset of the number of records in the file. */
    static final int FOOTER_RECORDS_OFFSET = FOOTER_SESSIONS_OFFSET + Long.BYTES;
    /** Offset of the bytes of keys and values. */
    static final int FOOTER_BYTES_OFFSET = FOOTER_RECORDS_OFFSET + Long.BYTES;
    /** Offset of the checksum of all blocks before. */
    static final int FOOTER_CHECKSUM_OFFSET = FOOTER_BYTES_OFFSET + Long.BYTES;
    /** Length of the body of FOOTER. */
    static final int FOOTER_LENGTH = FOOTER_CHECKSUM_OFFSET + Long.BYTES;

    private SnapshotDescriptor()
    {
    }
}
