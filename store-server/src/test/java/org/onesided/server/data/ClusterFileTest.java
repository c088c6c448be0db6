package org.onesided.server.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.disk.InPlace;

class ClusterFileTest
{
    private static final ClusterDescription THREE = ClusterDescription.founding(
        2,
        List.of(
            new ClusterMember(1, "127.0.0.1:19875", "127.0.0.1:19876"),
            new ClusterMember(2, "[::1]:19875", "[::1]:19876"),
            new ClusterMember(7, "bücher.example:1", "")),
        1_500);

    @TempDir
    private Path directory;

    private Path file()
    {
        return directory.resolve("cluster");
    }

    private String refuse(final byte[] bytes) throws IOException
    {
        InPlace.write(file(), bytes);
        final String message =
            assertThrows(DataDirectoryException.class, () -> ClusterFile.read(directory)).getMessage();
        assertTrue(message.contains(file().toString()), message);
        assertFalse(message.contains("\n"), message);
        return message;
    }

    private static byte[] withCrc(final byte[] bytes)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        little(bytes).putInt(bytes.length - Integer.BYTES, (int)crc.getValue());
        return bytes;
    }

    private static ByteBuffer little(final byte[] bytes)
    {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] bytes()
    {
        return ClusterFile.encode(THREE).array();
    }

    @Test
    void shouldReadWhatItWrote() throws IOException
    {
        ClusterFile.write(directory, THREE);
        assertEquals(THREE, ClusterFile.read(directory));
        final ClusterDescription alone =
            ClusterDescription.founding(1, List.of(new ClusterMember(1, "a:1", "a:2")), 1);
        ClusterFile.write(directory, alone);
        assertEquals(alone, ClusterFile.read(directory));
        assertFalse(Files.exists(directory.resolve("cluster.tmp")));
    }

    @Test
    void shouldTellThatAServerIsAlone()
    {
        assertNull(ClusterFile.read(directory));
    }

    @Test
    void shouldPutFieldsWhereTheDrawingHasThem()
    {
        final ByteBuffer bytes = little(bytes());
        assertEquals("ONECLUS1", new String(bytes.array(), ClusterFile.MAGIC_OFFSET, Long.BYTES));
        assertEquals(3, bytes.getInt(ClusterFile.FORMAT_OFFSET));
        assertEquals(3, bytes.getInt(ClusterFile.MEMBERS_OFFSET));
        assertEquals(2, bytes.getLong(ClusterFile.SELF_OFFSET));
        assertEquals(1_500, bytes.getLong(ClusterFile.LEASE_OFFSET));
        assertEquals(32, ClusterFile.HEADER_LENGTH);
        assertEquals(1, bytes.getLong(ClusterFile.HEADER_LENGTH));
        assertEquals(15, bytes.getInt(ClusterFile.HEADER_LENGTH + 8));
        assertEquals(15, bytes.getInt(ClusterFile.HEADER_LENGTH + 12));
        assertEquals(
            "127.0.0.1:19875", new String(bytes.array(), ClusterFile.HEADER_LENGTH + ClusterFile.MEMBER_LENGTH, 15));
        assertEquals(0, bytes.getInt(bytes.capacity() - 2 * Integer.BYTES));
        final int history = bytes.capacity() - 2 * Integer.BYTES - 117 - ClusterFile.HISTORY_LENGTH;
        assertEquals(7, bytes.getLong(history));
        assertEquals(3, bytes.getInt(history + Long.BYTES));
        assertEquals(0, bytes.getInt(history + Long.BYTES + Integer.BYTES));
        assertEquals(1, bytes.getLong(history + ClusterFile.HISTORY_LENGTH));
    }

    /** Of the first format, in which the members are the founders. */
    @Test
    void shouldReadTheFormerFormat() throws IOException
    {
        final byte[] bytes = bytes();
        final byte[] former =
            Arrays.copyOf(bytes, bytes.length - Integer.BYTES - 117 - ClusterFile.HISTORY_LENGTH);
        little(former).putInt(ClusterFile.FORMAT_OFFSET, 1);
        InPlace.write(file(), withCrc(former));
        assertEquals(THREE, ClusterFile.read(directory));
    }

    /** Of the second format, in which all members keep each partition. */
    @Test
    void shouldReadTheFormatOfAllReplicas() throws IOException
    {
        final ClusterDescription changed = THREE.with(THREE.members().subList(1, 3), Set.of(7L));
        final byte[] bytes = ClusterFile.encode(changed).array();
        final byte[] former = Arrays.copyOf(bytes, bytes.length - Integer.BYTES);
        little(former).putInt(ClusterFile.FORMAT_OFFSET, 2);
        InPlace.write(file(), withCrc(former));
        assertEquals(changed, ClusterFile.read(directory));
    }

    @Test
    void shouldKeepTheNumberOfReplicas()
    {
        final ClusterDescription spread = ClusterDescription.founding(2, THREE.members(), 1, 1_500);
        ClusterFile.write(directory, spread);
        assertEquals(spread, ClusterFile.read(directory));
        assertTrue(spread.isSpread());
        assertFalse(THREE.isSpread());
        assertEquals(THREE.members(), THREE.founders(5));
        for (int i = 0; i < 3; i++)
        {
            assertEquals(List.of(THREE.members().get(i)), spread.founders(i));
        }
        final ClusterDescription later = spread.with(THREE.members().subList(0, 2), Set.of());
        assertEquals(spread.founders(2), later.founders(2));
        assertEquals(1, later.replicas());
    }

    @Test
    void shouldKeepFoundersAndTheHighestNumber()
    {
        final ClusterMember last = new ClusterMember(9, "d:1", "d:2");
        final ClusterDescription changed = THREE.with(List.of(THREE.members().get(0), last), Set.of(9L));
        ClusterFile.write(directory, changed);
        assertEquals(changed, ClusterFile.read(directory));
        assertEquals(3, changed.founders().size());
        assertEquals(9, changed.highest());
        assertEquals(Set.of(9L), changed.announced());
        assertTrue(changed.isChanged());
        assertFalse(THREE.with(THREE.members(), Set.of()).isChanged());
        assertTrue(changed.isRemoved());
        final ClusterDescription later = changed.with(List.of(THREE.members().get(1)), Set.of());
        assertEquals(9, later.highest());
        assertFalse(later.isRemoved());
        final ClusterDescription joined =
            ClusterDescription.joining(9, List.of(THREE.members().get(0), last), 0, 100);
        ClusterFile.write(directory, joined);
        assertEquals(joined, ClusterFile.read(directory));
        assertTrue(joined.founders().isEmpty());
        assertTrue(joined.isChanged());
        assertEquals(Set.of(9L), joined.announced());
    }

    @Test
    void shouldRefuseEveryFlippedBit() throws IOException
    {
        final byte[] bytes = bytes();
        for (int i = 0; i < bytes.length; i++)
        {
            for (int bit = 0; bit < Byte.SIZE; bit++)
            {
                bytes[i] ^= (byte)(1 << bit);
                assertTrue(refuse(bytes).contains("damaged"));
                bytes[i] ^= (byte)(1 << bit);
            }
        }
    }

    @Test
    void shouldRefuseEveryOtherLength() throws IOException
    {
        final byte[] bytes = bytes();
        for (int length = 0; length < bytes.length; length++)
        {
            assertTrue(refuse(Arrays.copyOf(bytes, length)).contains("damaged"));
        }
        assertTrue(refuse(Arrays.copyOf(bytes, bytes.length + 1)).contains("damaged"));
        assertTrue(refuse(Arrays.copyOf(bytes, 1 << 20)).contains("damaged"));
    }

    @Test
    void shouldRefuseANewerFormat() throws IOException
    {
        final byte[] bytes = bytes();
        little(bytes).putInt(ClusterFile.FORMAT_OFFSET, 4);
        final String message = refuse(withCrc(bytes));
        assertTrue(message.contains("another version"), message);
        assertTrue(message.contains("format=4 known=3"), message);
    }

    /** A right checksum does not make a length right. */
    @Test
    void shouldRefuseFieldsOutOfRange() throws IOException
    {
        for (final int count : new int[]{-1, 0, 2, 4, Integer.MAX_VALUE})
        {
            final byte[] bytes = bytes();
            little(bytes).putInt(ClusterFile.MEMBERS_OFFSET, count);
            assertTrue(refuse(withCrc(bytes)).contains("damaged"));
        }
        for (final int length : new int[]{-1, 14, 16, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            final byte[] bytes = bytes();
            little(bytes).putInt(ClusterFile.HEADER_LENGTH + Long.BYTES, length);
            assertTrue(refuse(withCrc(bytes)).contains("damaged"));
        }
        for (final long self : new long[]{-1, 0, 3})
        {
            final byte[] bytes = bytes();
            little(bytes).putLong(ClusterFile.SELF_OFFSET, self);
            assertTrue(refuse(withCrc(bytes)).contains("damaged"));
        }
        final byte[] noLease = bytes();
        little(noLease).putLong(ClusterFile.LEASE_OFFSET, 0);
        assertTrue(refuse(withCrc(noLease)).contains("damaged"));
        for (final int replicas : new int[]{-1, 2, 3, 5})
        {
            final byte[] bytes = bytes();
            little(bytes).putInt(bytes.length - 2 * Integer.BYTES, replicas);
            assertTrue(refuse(withCrc(bytes)).contains("damaged"));
        }
        final byte[] noText = bytes();
        noText[ClusterFile.HEADER_LENGTH + ClusterFile.MEMBER_LENGTH] = (byte)0xFF;
        assertTrue(refuse(withCrc(noText)).contains("damaged"));
    }
}
