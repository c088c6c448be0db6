package org.onesided.server.data;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.onesided.server.log.SyncMode;

/**
 * Layout and contents of the file that says which table a data directory holds. All numbers are little-endian. Magic
 * and format are at the same place in all formats, so that an older version can refuse a newer one.
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | magic                                             |
 *  +-------------------------+-------------------------+
 *  | format                  | shards                  |
 *  +-------------------------+-------------------------+
 *  | table id                                          |
 *  +-------------------------+-------------------------+
 *  | server life                                       |
 *  +-------------------------+-------------------------+
 *  | hash seed                                         |
 *  +-------------------------+-------------------------+
 *  | check seed                                        |
 *  +-------------------------+-------------------------+
 *  | session key, 32 bytes                             |
 *  +-------------------------+-------------------------+
 *  | boot id, 16 bytes                                 |
 *  +-------------------------+-------------------------+
 *  | sync mode               | clean stop              |
 *  +-------------------------+-------------------------+
 *  | 0                       | CRC32C of all before    |
 *  +-------------------------+-------------------------+
 * </pre>
 *
 * <p>The sync mode is 1 for always, 2 for interval; clean stop is 1 if the last server stopped after all was forced to
 * the disk, else 0. Both, and the boot id, are those of the server that used the directory last.
 *
 * @param identity of the table.
 * @param shards   of the table.
 * @param bootId   of the operating system; {@link #NO_BOOT} if it is not known.
 * @param sync     when writes were acknowledged.
 * @param isClean  whether the last server stopped after all was on the disk.
 */
record TableFile(TableIdentity identity, int shards, UUID bootId, SyncMode sync, boolean isClean)
{
    /** Format of files that this version writes, and the newest that it reads. */
    static final int FORMAT = 1;
    /** A boot id that is not known. */
    static final UUID NO_BOOT = new UUID(0, 0);

    /** "ONEDATA1" as bytes: a data directory. */
    private static final long MAGIC = 0x3141_5441_4445_4E4FL;
    private static final int BOOT_ID_LENGTH = 2 * Long.BYTES;
    private static final int ALWAYS = 1;
    private static final int INTERVAL = 2;

    /** Offset of the magic. */
    static final int MAGIC_OFFSET = 0;
    /** Offset of the format. */
    static final int FORMAT_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Offset of the number of shards. */
    static final int SHARDS_OFFSET = FORMAT_OFFSET + Integer.BYTES;
    /** Offset of the table's id. */
    static final int TABLE_ID_OFFSET = SHARDS_OFFSET + Integer.BYTES;
    /** Offset of the server's life. */
    static final int SERVER_LIFE_OFFSET = TABLE_ID_OFFSET + Long.BYTES;
    /** Offset of the hashes' seed. */
    static final int HASH_SEED_OFFSET = SERVER_LIFE_OFFSET + Long.BYTES;
    /** Offset of the check words' seed. */
    static final int CHECK_SEED_OFFSET = HASH_SEED_OFFSET + Long.BYTES;
    /** Offset of the session key. */
    static final int SESSION_KEY_OFFSET = CHECK_SEED_OFFSET + Long.BYTES;
    /** Offset of the boot id, the high half first. */
    static final int BOOT_ID_OFFSET = SESSION_KEY_OFFSET + SessionKey.LENGTH;
    /** Offset of the sync mode. */
    static final int SYNC_OFFSET = BOOT_ID_OFFSET + BOOT_ID_LENGTH;
    /** Offset of the clean stop. */
    static final int CLEAN_OFFSET = SYNC_OFFSET + Integer.BYTES;
    /** Offset of the CRC32C. */
    static final int CRC_OFFSET = CLEAN_OFFSET + Integer.BYTES + Integer.BYTES;
    /** Length of the whole. */
    static final int LENGTH = CRC_OFFSET + Integer.BYTES;

    TableFile with(final TableIdentity newIdentity)
    {
        return new TableFile(newIdentity, shards, bootId, sync, isClean);
    }

    TableFile used(final UUID newBootId, final SyncMode newSync, final boolean isNowClean)
    {
        return new TableFile(identity, shards, newBootId, newSync, isNowClean);
    }

    /** Whether writes that were acknowledged may be missing, as the last server's operating system has ended. */
    boolean isMaybeBehind(final UUID bootIdNow)
    {
        return sync != SyncMode.ALWAYS && !isClean && (bootIdNow.equals(NO_BOOT) || !bootIdNow.equals(bootId));
    }

    /**
     * @throws DataDirectoryException if the table has another number of shards.
     */
    void checkShards(final Path directory, final int wanted)
    {
        if (shards != wanted)
        {
            throw new DataDirectoryException("data directory has another number of shards, start with --shards " +
                shards + ", or restore a backup with kvctl restore --shards " + wanted +
                " to another directory: path=" + directory +
                " shards=" + shards + " wanted=" + wanted);
        }
    }

    /** The file's bytes. */
    ByteBuffer encode()
    {
        final ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(LITTLE_ENDIAN);
        bytes.putLong(MAGIC_OFFSET, MAGIC);
        bytes.putInt(FORMAT_OFFSET, FORMAT);
        bytes.putInt(SHARDS_OFFSET, shards);
        bytes.putLong(TABLE_ID_OFFSET, identity.tableId());
        bytes.putLong(SERVER_LIFE_OFFSET, identity.serverLife());
        bytes.putLong(HASH_SEED_OFFSET, identity.hashSeed());
        bytes.putLong(CHECK_SEED_OFFSET, identity.checkSeed());
        bytes.put(SESSION_KEY_OFFSET, identity.sessionKey().bytes());
        bytes.putLong(BOOT_ID_OFFSET, bootId.getMostSignificantBits());
        bytes.putLong(BOOT_ID_OFFSET + Long.BYTES, bootId.getLeastSignificantBits());
        bytes.putInt(SYNC_OFFSET, sync == SyncMode.ALWAYS ? ALWAYS : INTERVAL);
        bytes.putInt(CLEAN_OFFSET, isClean ? 1 : 0);
        bytes.putInt(CRC_OFFSET, crc(bytes));
        return bytes;
    }

    /**
     * Reads the file's bytes.
     *
     * @param all  of them.
     * @param file for messages.
     * @return what they say.
     * @throws DataDirectoryException if they are damaged, or of a newer format.
     */
    static TableFile decode(final byte[] all, final Path file)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(all).order(LITTLE_ENDIAN);
        if (all.length < SHARDS_OFFSET || bytes.getLong(MAGIC_OFFSET) != MAGIC)
        {
            throw damaged(file);
        }
        final int format = bytes.getInt(FORMAT_OFFSET);
        final boolean isWhole = all.length == LENGTH && bytes.getInt(CRC_OFFSET) == crc(bytes);
        // A flipped bit of this format is not a newer one, which would be longer.
        if (format != FORMAT && (isWhole || format > FORMAT && all.length > LENGTH))
        {
            throw new DataDirectoryException("data directory has a format of another version, start that version or " +
                "restore a backup: file=" + file + " format=" + format + " known=" + FORMAT);
        }
        if (!isWhole)
        {
            throw damaged(file);
        }
        final byte[] key = new byte[SessionKey.LENGTH];
        bytes.get(SESSION_KEY_OFFSET, key);
        return new TableFile(
            new TableIdentity(
                bytes.getLong(TABLE_ID_OFFSET),
                bytes.getLong(SERVER_LIFE_OFFSET),
                bytes.getLong(HASH_SEED_OFFSET),
                bytes.getLong(CHECK_SEED_OFFSET),
                new SessionKey(key)),
            bytes.getInt(SHARDS_OFFSET),
            new UUID(bytes.getLong(BOOT_ID_OFFSET), bytes.getLong(BOOT_ID_OFFSET + Long.BYTES)),
            bytes.getInt(SYNC_OFFSET) == ALWAYS ? SyncMode.ALWAYS : SyncMode.INTERVAL,
            bytes.getInt(CLEAN_OFFSET) == 1);
    }

    private static int crc(final ByteBuffer bytes)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, CRC_OFFSET);
        return (int)crc.getValue();
    }

    private static DataDirectoryException damaged(final Path file)
    {
        return new DataDirectoryException("data directory is damaged, restore a backup: file=" + file);
    }
}
