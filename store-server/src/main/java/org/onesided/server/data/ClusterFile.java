package org.onesided.server.data;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.onesided.server.disk.DiskFiles;

/**
 * Layout and contents of the file that says of which cluster a data directory's table is. A table of a server that is
 * alone has none. All numbers are little-endian. Magic and format are at the same place in all formats, so that an
 * older version can refuse a newer one.
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | magic                                             |
 *  +-------------------------+-------------------------+
 *  | format                  | members                 |
 *  +-------------------------+-------------------------+
 *  | number of this member                             |
 *  +-------------------------+-------------------------+
 *  | lease in milliseconds                             |
 *  +-------------------------+-------------------------+
 *  | members, one behind the other, see below         ...
 *  +-------------------------+-------------------------+
 *  | highest number of any member there was            |
 *  +-------------------------+-------------------------+
 *  | founders                | announced               |
 *  +-------------------------+-------------------------+
 *  | founders, one behind the other, as members       ...
 *  +-------------------------+-------------------------+
 *  | numbers of members that were announced           ...
 *  +-------------------------+-------------------------+
 *  | replicas, 0 for all     |
 *  +-------------------------+
 *  | CRC32C of all before    |
 *  +-------------------------+
 *
 *  of each member:
 *  +-------------------------+-------------------------+
 *  | number                                            |
 *  +-------------------------+-------------------------+
 *  | length of address       | length of peer address  |
 *  +-------------------------+-------------------------+
 *  | address in UTF-8        | peer address in UTF-8  ...
 *  +-------------------------+-------------------------+
 * </pre>
 *
 * <p>In format 1, nothing is behind the members, who are also the founders. In format 2, all keep each partition, and
 * it does not say so.
 *
 * <p>Thread-safe.
 */
public final class ClusterFile
{
    /** Name of the file in a data directory. */
    static final String NAME = "cluster";
    /** Format of files that this version writes, and the newest that it reads. */
    static final int FORMAT = 3;

    /** "ONECLUS1" as bytes: the cluster of a data directory. */
    private static final long MAGIC = 0x3153_554C_4345_4E4FL;
    /** Longest file that is read: no cluster has so many members. */
    private static final int MAX_LENGTH = 64 << 10;
    /** The members are the founders. */
    private static final int FORMAT_OF_FOUNDERS = 1;
    /** All members keep each partition. */
    private static final int FORMAT_OF_ALL = 2;

    /** Offset of the magic. */
    static final int MAGIC_OFFSET = 0;
    /** Offset of the format. */
    static final int FORMAT_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Offset of the number of members. */
    static final int MEMBERS_OFFSET = FORMAT_OFFSET + Integer.BYTES;
    /** Offset of this member's number. */
    static final int SELF_OFFSET = MEMBERS_OFFSET + Integer.BYTES;
    /** Offset of the lease. */
    static final int LEASE_OFFSET = SELF_OFFSET + Long.BYTES;
    /** Offset of the first member, and length of all before it. */
    static final int HEADER_LENGTH = LEASE_OFFSET + Long.BYTES;
    /** Length of a member without its addresses. */
    static final int MEMBER_LENGTH = Long.BYTES + Integer.BYTES + Integer.BYTES;

    /** Length of what stands between the members and the founders. */
    static final int HISTORY_LENGTH = Long.BYTES + Integer.BYTES + Integer.BYTES;

    private ClusterFile()
    {
    }

    /**
     * Reads of which cluster the table of a directory is, whether a server uses it or not.
     *
     * @param directory of the table.
     * @return its cluster, or null if it is the table of a server that is alone.
     * @throws DataDirectoryException if the file is damaged, of a newer format, or cannot be read.
     */
    public static ClusterDescription read(final Path directory)
    {
        final Path file = directory.resolve(NAME);
        try
        {
            if (Files.size(file) > MAX_LENGTH)
            {
                throw damaged(file);
            }
            return decode(Files.readAllBytes(file), file);
        }
        catch (final NoSuchFileException e)
        {
            return null;
        }
        catch (final IOException e)
        {
            throw new DataDirectoryException("data directory cannot be read: file=" + file + " cause=" + e, e);
        }
    }

    /**
     * Writes of which cluster the table of a directory is, durably and in one step.
     *
     * @param directory   of the table.
     * @param description of the cluster.
     * @throws DataDirectoryException if it cannot be written.
     */
    public static void write(final Path directory, final ClusterDescription description)
    {
        final Path file = directory.resolve(NAME);
        try
        {
            DiskFiles.replace(file, encode(description));
        }
        catch (final IOException e)
        {
            throw new DataDirectoryException("data directory cannot be written: file=" + file + " cause=" + e, e);
        }
    }

    /** The file's bytes. */
    static ByteBuffer encode(final ClusterDescription description)
    {
        final byte[] members = encode(description.members());
        final byte[] founders = encode(description.founders());
        final long length = HEADER_LENGTH + members.length + HISTORY_LENGTH + founders.length +
            (long)Long.BYTES * description.announced().size() + Integer.BYTES + Integer.BYTES;
        if (length > MAX_LENGTH)
        {
            throw new IllegalArgumentException("the members' addresses are too long: length=" + length);
        }
        final ByteBuffer bytes = ByteBuffer.allocate((int)length).order(LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putInt(FORMAT).putInt(description.members().size());
        bytes.putLong(description.self()).putLong(description.leaseMs());
        bytes.put(members);
        bytes.putLong(description.highest());
        bytes.putInt(description.founders().size()).putInt(description.announced().size());
        bytes.put(founders);
        description.announced().stream().sorted().forEach(bytes::putLong);
        bytes.putInt(description.replicas());
        bytes.putInt(crc(bytes.array()));
        return bytes.flip();
    }

    private static byte[] encode(final List<ClusterMember> members)
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final ClusterMember member : members)
        {
            final byte[] address = member.address().getBytes(UTF_8);
            final byte[] peerAddress = member.peerAddress().getBytes(UTF_8);
            all.writeBytes(ByteBuffer.allocate(MEMBER_LENGTH).order(LITTLE_ENDIAN)
                .putLong(member.number()).putInt(address.length).putInt(peerAddress.length).array());
            all.writeBytes(address);
            all.writeBytes(peerAddress);
        }
        return all.toByteArray();
    }

    /**
     * Reads the file's bytes.
     *
     * @param all  of them.
     * @param file for messages.
     * @return what they say.
     * @throws DataDirectoryException if they are damaged, or of a newer format.
     */
    static ClusterDescription decode(final byte[] all, final Path file)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(all).order(LITTLE_ENDIAN);
        if (all.length < HEADER_LENGTH + Integer.BYTES || bytes.getLong(MAGIC_OFFSET) != MAGIC ||
            bytes.getInt(all.length - Integer.BYTES) != crc(all))
        {
            throw damaged(file);
        }
        final int format = bytes.getInt(FORMAT_OFFSET);
        if (format < FORMAT_OF_FOUNDERS || format > FORMAT)
        {
            throw new DataDirectoryException("data directory has a format of another version, start that version: " +
                "file=" + file + " format=" + format + " known=" + FORMAT);
        }
        bytes.limit(all.length - Integer.BYTES).position(HEADER_LENGTH);
        try
        {
            final long self = bytes.getLong(SELF_OFFSET);
            final long leaseMs = bytes.getLong(LEASE_OFFSET);
            final List<ClusterMember> members = members(bytes, bytes.getInt(MEMBERS_OFFSET));
            final ClusterDescription description = format == FORMAT_OF_FOUNDERS ?
                ClusterDescription.founding(self, members, leaseMs) : history(bytes, format, self, members, leaseMs);
            if (members.isEmpty() || bytes.hasRemaining())
            {
                throw damaged(file);
            }
            return description;
        }
        catch (final CharacterCodingException | IllegalArgumentException e)
        {
            throw damaged(file);
        }
    }

    private static ClusterDescription history(
        final ByteBuffer bytes,
        final int format,
        final long self,
        final List<ClusterMember> members,
        final long leaseMs) throws CharacterCodingException
    {
        final int behind = format == FORMAT_OF_ALL ? 0 : Integer.BYTES;
        if (bytes.remaining() < HISTORY_LENGTH + behind)
        {
            throw new IllegalArgumentException("the founders are missing: left=" + bytes.remaining());
        }
        final long highest = bytes.getLong();
        final int founders = bytes.getInt();
        final int count = bytes.getInt();
        final List<ClusterMember> first = members(bytes, founders);
        if (count != (bytes.remaining() - behind) / Long.BYTES)
        {
            throw new IllegalArgumentException("announced members are missing: count=" + count);
        }
        final Set<Long> announced = new HashSet<>();
        for (int i = 0; i < count; i++)
        {
            announced.add(bytes.getLong());
        }
        return new ClusterDescription(
            self, members, first, highest, announced, behind == 0 ? 0 : bytes.getInt(), leaseMs);
    }

    private static List<ClusterMember> members(final ByteBuffer bytes, final int count) throws CharacterCodingException
    {
        final List<ClusterMember> members = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            members.add(member(bytes));
        }
        return members;
    }

    private static ClusterMember member(final ByteBuffer bytes) throws CharacterCodingException
    {
        if (bytes.remaining() < MEMBER_LENGTH)
        {
            throw new IllegalArgumentException("a member is cut off: left=" + bytes.remaining());
        }
        final long number = bytes.getLong();
        final int addressLength = bytes.getInt();
        final int peerAddressLength = bytes.getInt();
        return new ClusterMember(number, text(bytes, addressLength), text(bytes, peerAddressLength));
    }

    private static String text(final ByteBuffer bytes, final int length) throws CharacterCodingException
    {
        if (length < 0 || length > bytes.remaining())
        {
            throw new IllegalArgumentException("an address is cut off: length=" + length);
        }
        final ByteBuffer text = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return UTF_8.newDecoder().decode(text).toString();
    }

    private static int crc(final byte[] all)
    {
        final CRC32C crc = new CRC32C();
        crc.update(all, 0, all.length - Integer.BYTES);
        return (int)crc.getValue();
    }

    private static DataDirectoryException damaged(final Path file)
    {
        return new DataDirectoryException("data directory is damaged, its membership cannot be read: file=" + file);
    }
}
