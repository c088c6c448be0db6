package org.onesided.tools.ycsb;

import static org.onesided.tools.ycsb.FieldsDescriptor.FIELD_HEADER_LENGTH;
import static org.onesided.tools.ycsb.FieldsDescriptor.FORMAT;
import static org.onesided.tools.ycsb.FieldsDescriptor.HEADER_LENGTH;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * Packs the fields of one YCSB record into one value, and unpacks them. Not thread-safe.
 */
final class Fields
{
    /** Larger than any store's limit, and small enough for an array. */
    private static final int MAX_LENGTH = 1 << 30;

    private final FieldsFlyweight flyweight = new FieldsFlyweight();

    /**
     * @param fields names and values; the values are consumed.
     * @return one value with all fields.
     * @throws IllegalArgumentException if they are longer than 1 GiB.
     */
    static byte[] pack(final Map<String, ByteIterator> fields)
    {
        final byte[][] names = new byte[fields.size()][];
        long length = HEADER_LENGTH;
        int index = 0;
        for (final Map.Entry<String, ByteIterator> field : fields.entrySet())
        {
            names[index] = field.getKey().getBytes(StandardCharsets.UTF_8);
            length += (long)FIELD_HEADER_LENGTH + names[index].length + checkedLength(field.getValue());
            index++;
        }
        if (length > MAX_LENGTH)
        {
            throw new IllegalArgumentException(
                "fields are too long for one value: length=" + length + " longest=" + MAX_LENGTH);
        }

        final byte[] packed = new byte[(int)length];
        final ByteBuffer buffer = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(FORMAT).putInt(names.length);
        index = 0;
        for (final ByteIterator value : fields.values())
        {
            final int valueLength = checkedLength(value);
            buffer.putInt(names[index].length).putInt(valueLength).put(names[index]);
            copy(value, packed, buffer.position(), valueLength);
            buffer.position(buffer.position() + valueLength);
            index++;
        }
        return packed;
    }

    /**
     * @param packed value of {@link #pack}; the unpacked values are parts of it.
     * @param wanted names of the fields to unpack; null for all.
     * @param into   gets the fields.
     * @throws BrokenFieldsException if the value has another layout.
     */
    void unpack(final byte[] packed, final Set<String> wanted, final Map<String, ByteIterator> into)
    {
        flyweight.wrap(packed);
        while (flyweight.next())
        {
            final String name = flyweight.name();
            if (wanted == null || wanted.contains(name))
            {
                into.put(name, new ByteArrayByteIterator(packed, flyweight.valueOffset(), flyweight.valueLength()));
            }
        }
    }

    /**
     * Changes fields.
     *
     * @param packed  value of {@link #pack}; may be overwritten.
     * @param changes fields to replace or add; their values are consumed.
     * @return the changed value: the same array if no length differs, which is how workloads write.
     * @throws BrokenFieldsException    if the value has another layout.
     * @throws IllegalArgumentException if all fields are longer than 1 GiB.
     */
    byte[] merge(final byte[] packed, final Map<String, ByteIterator> changes)
    {
        final int[] offsets = new int[changes.size()];
        int index = 0;
        for (final Map.Entry<String, ByteIterator> change : changes.entrySet())
        {
            if (!find(packed, change.getKey()) || flyweight.valueLength() != change.getValue().bytesLeft())
            {
                final Map<String, ByteIterator> all = new LinkedHashMap<>();
                unpack(packed, null, all);
                all.putAll(changes);
                return pack(all);
            }
            offsets[index] = flyweight.valueOffset();
            index++;
        }
        index = 0;
        for (final ByteIterator value : changes.values())
        {
            copy(value, packed, offsets[index], (int)value.bytesLeft());
            index++;
        }
        return packed;
    }

    /** Moves to a field, if it exists. */
    private boolean find(final byte[] packed, final String name)
    {
        final byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        flyweight.wrap(packed);
        while (flyweight.next())
        {
            if (flyweight.isNamed(nameBytes))
            {
                return true;
            }
        }
        return false;
    }

    private static int checkedLength(final ByteIterator value)
    {
        final long length = value.bytesLeft();
        if (length < 0 || length > MAX_LENGTH)
        {
            throw new IllegalArgumentException("field's length is out of range: length=" + length);
        }
        return (int)length;
    }

    private static void copy(final ByteIterator value, final byte[] into, final int offset, final int length)
    {
        final byte[] bytes = value.toArray();
        if (bytes.length != length)
        {
            throw new IllegalArgumentException(
                "field length differs from its declared length: length=" + bytes.length + " told=" + length);
        }
        System.arraycopy(bytes, 0, into, offset, length);
    }
}
