package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a walk visits: each record once, and long ones in parts that follow each other. */
final class WalkedRecords implements TableWalk.Visitor
{
    /** A record as it was. */
    record Kept(byte[] value, long version, long expiry)
    {
        void check(final String key, final Kept found)
        {
            assertNotNull(found, key);
            assertArrayEquals(value, found.value, key);
            assertEquals(version, found.version, key);
            assertEquals(expiry, found.expiry, key);
        }
    }

    final Map<String, Kept> records = new LinkedHashMap<>();
    /** Bytes visited since they were asked for. */
    private long bytes;
    private String key;
    private byte[] value;
    private int length;
    private long version;
    private long expiry;

    @Override
    public void onRecord(
        final long keyAddress,
        final int keyLength,
        final long valueAddress,
        final int valueLength,
        final long recordVersion,
        final long recordExpiry)
    {
        assertTrue(valueLength <= TableWalk.MAX_SHORT_VALUE_LENGTH);
        bytes += keyLength + valueLength;
        add(name(keyAddress, keyLength), Native.read(valueAddress, valueLength), recordVersion, recordExpiry);
    }

    @Override
    public void onLongRecord(
        final long keyAddress,
        final int keyLength,
        final int valueLength,
        final long recordVersion,
        final long recordExpiry)
    {
        assertNull(key, "the record before has ended");
        assertTrue(valueLength > TableWalk.MAX_SHORT_VALUE_LENGTH);
        key = name(keyAddress, keyLength);
        value = new byte[valueLength];
        length = 0;
        version = recordVersion;
        expiry = recordExpiry;
    }

    @Override
    public void onValuePart(final long address, final int partLength)
    {
        assertTrue(partLength >= 1 && partLength <= value.length - length);
        System.arraycopy(Native.read(address, partLength), 0, value, length, partLength);
        length += partLength;
        bytes += partLength;
        if (length == value.length)
        {
            add(key, value, version, expiry);
            key = null;
        }
    }

    private void add(final String name, final byte[] bytesOfValue, final long recordVersion, final long recordExpiry)
    {
        assertNull(records.put(name, new Kept(bytesOfValue, recordVersion, recordExpiry)), "visited twice: " + name);
    }

    private static String name(final long address, final int keyLength)
    {
        return new String(Native.read(address, keyLength), StandardCharsets.UTF_8);
    }

    boolean isWhole()
    {
        return key == null;
    }

    long takeBytes()
    {
        final long taken = bytes;
        bytes = 0;
        return taken;
    }
}
