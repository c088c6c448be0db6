package org.onesided.server.backup;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.onesided.server.backup.BackupDescriptor.*;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What a backup is of.
 *
 * @param id        random number that names the backup.
 * @param tableId   names the table.
 * @param hashSeed  of the keys' hashes.
 * @param checkSeed of the records' check words.
 * @param createdMs time of the wall clock when the backup was begun, in milliseconds since 1970.
 * @param version   of the server, empty if it does not know.
 * @param shards    of the table.
 */
public record BackupHeader(
    long id, long tableId, long hashSeed, long checkSeed, long createdMs, String version, int shards)
{
    private static final int START_LENGTH = PROLOGUE_LENGTH + HEADER_LENGTH;

    /** Prologue and header. */
    ByteBuffer encode()
    {
        final ByteBuffer bytes = ByteBuffer.allocate(START_LENGTH).order(LITTLE_ENDIAN);
        bytes.putLong(MAGIC_OFFSET, MAGIC);
        bytes.putInt(FORMAT_OFFSET, FORMAT);
        bytes.putInt(PROLOGUE_CRC_OFFSET, crc(bytes, 0, PROLOGUE_CRC_OFFSET));
        final int at = PROLOGUE_LENGTH;
        bytes.putLong(at + ID_OFFSET, id);
        bytes.putLong(at + TABLE_ID_OFFSET, tableId);
        bytes.putLong(at + HASH_SEED_OFFSET, hashSeed);
        bytes.putLong(at + CHECK_SEED_OFFSET, checkSeed);
        bytes.putLong(at + CREATED_OFFSET, createdMs);
        final byte[] text = version.getBytes(UTF_8);
        bytes.put(at + VERSION_OFFSET, text, 0, Math.min(text.length, VERSION_LENGTH));
        bytes.putInt(at + SHARDS_OFFSET, shards);
        bytes.putInt(at + HEADER_CRC_OFFSET, crc(bytes, at, HEADER_CRC_OFFSET));
        return bytes;
    }

    /** What stands before a shard's snapshot. */
    ByteBuffer encodeSection(final int shard, final long length)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(SECTION_LENGTH).order(LITTLE_ENDIAN);
        bytes.putLong(SECTION_LENGTH_OFFSET, length);
        bytes.putInt(SECTION_SHARD_OFFSET, shard);
        bytes.putInt(SECTION_CRC_OFFSET, sectionCrc(bytes));
        return bytes;
    }

    /** The end; {@code crc} of all before is given the footer's bytes as well. */
    ByteBuffer encodeFooter(final long length, final CRC32C crc)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(FOOTER_LENGTH).order(LITTLE_ENDIAN);
        bytes.putLong(FOOTER_ID_OFFSET, id);
        bytes.putLong(FOOTER_LENGTH_OFFSET, length);
        bytes.putInt(FOOTER_SHARDS_OFFSET, shards);
        crc.update(bytes.array(), 0, FOOTER_CRC_OFFSET);
        bytes.putInt(FOOTER_CRC_OFFSET, (int)crc.getValue());
        return bytes;
    }

    /**
     * Reads prologue and header.
     *
     * @throws BackupException if they are damaged, or of a newer format.
     */
    static BackupHeader decode(final ByteBuffer bytes, final String name)
    {
        if (bytes.getLong(MAGIC_OFFSET) != MAGIC)
        {
            throw new BackupException("this is not a backup of kvctl backup: file=" + name);
        }
        if (bytes.getInt(PROLOGUE_CRC_OFFSET) != crc(bytes, 0, PROLOGUE_CRC_OFFSET))
        {
            throw BackupException.damaged(name, 0, "a checksum of the prologue");
        }
        if (bytes.getInt(FORMAT_OFFSET) != FORMAT)
        {
            throw new BackupException("backup has a format of another version, restore it with that version: file=" +
                name + " format=" + bytes.getInt(FORMAT_OFFSET) + " known=" + FORMAT);
        }
        final int at = PROLOGUE_LENGTH;
        final int shards = bytes.getInt(at + SHARDS_OFFSET);
        if (bytes.getInt(at + HEADER_CRC_OFFSET) != crc(bytes, at, HEADER_CRC_OFFSET) || shards < 1)
        {
            throw BackupException.damaged(name, PROLOGUE_LENGTH, "a checksum of the header");
        }
        final byte[] text = new byte[VERSION_LENGTH];
        bytes.get(at + VERSION_OFFSET, text);
        int length = 0;
        while (length < text.length && text[length] != 0)
        {
            length++;
        }
        return new BackupHeader(
            bytes.getLong(at + ID_OFFSET), bytes.getLong(at + TABLE_ID_OFFSET), bytes.getLong(at + HASH_SEED_OFFSET),
            bytes.getLong(at + CHECK_SEED_OFFSET), bytes.getLong(at + CREATED_OFFSET),
            new String(Arrays.copyOf(text, length), UTF_8), shards);
    }

    static int startLength()
    {
        return START_LENGTH;
    }

    /** Whether a section is that of a shard. */
    boolean isSection(final ByteBuffer bytes, final int shard)
    {
        return bytes.getInt(SECTION_CRC_OFFSET) == sectionCrc(bytes) && bytes.getInt(SECTION_SHARD_OFFSET) == shard &&
            bytes.getLong(SECTION_LENGTH_OFFSET) > 0;
    }

    private int sectionCrc(final ByteBuffer bytes)
    {
        final CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(0, id));
        crc.update(bytes.array(), 0, SECTION_CRC_OFFSET);
        return (int)crc.getValue();
    }

    private static int crc(final ByteBuffer bytes, final int offset, final int length)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.array(), offset, length);
        return (int)crc.getValue();
    }
}
