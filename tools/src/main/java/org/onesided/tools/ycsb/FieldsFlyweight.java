package org.onesided.tools.ycsb;

import static org.onesided.tools.ycsb.FieldsDescriptor.FIELD_COUNT_OFFSET;
import static org.onesided.tools.ycsb.FieldsDescriptor.FIELD_HEADER_LENGTH;
import static org.onesided.tools.ycsb.FieldsDescriptor.FORMAT;
import static org.onesided.tools.ycsb.FieldsDescriptor.FORMAT_OFFSET;
import static org.onesided.tools.ycsb.FieldsDescriptor.HEADER_LENGTH;
import static org.onesided.tools.ycsb.FieldsDescriptor.NAME_LENGTH_OFFSET;
import static org.onesided.tools.ycsb.FieldsDescriptor.VALUE_LENGTH_OFFSET;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Iterates over the fields of a packed value. Checks all of its lengths.
 */
final class FieldsFlyweight
{
    private byte[] packed;
    private ByteBuffer numbers;
    private int fieldsLeft;
    private int nextOffset;
    private int nameOffset;
    private int valueOffset;

    /**
     * @param value to iterate over, from before its first field; not copied.
     * @return this.
     * @throws BrokenFieldsException if its header is wrong.
     */
    FieldsFlyweight wrap(final byte[] value)
    {
        if (value.length < HEADER_LENGTH)
        {
            throw new BrokenFieldsException("value is too short to hold fields: length=" + value.length);
        }
        packed = value;
        numbers = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        if (numbers.getInt(FORMAT_OFFSET) != FORMAT)
        {
            throw new BrokenFieldsException(
                "value was not written by this binding, load the table anew: format=0x" +
                Integer.toHexString(numbers.getInt(FORMAT_OFFSET)));
        }
        return rewind();
    }

    /**
     * Moves back to before the first field.
     *
     * @return this.
     * @throws BrokenFieldsException if the value is too short for the number of fields that it claims.
     */
    FieldsFlyweight rewind()
    {
        fieldsLeft = numbers.getInt(FIELD_COUNT_OFFSET);
        if (fieldsLeft < 0 || fieldsLeft > (packed.length - HEADER_LENGTH) / FIELD_HEADER_LENGTH)
        {
            throw new BrokenFieldsException(
                "number of fields is out of range: count=" + fieldsLeft + " length=" + packed.length);
        }
        nextOffset = HEADER_LENGTH;
        return this;
    }

    /**
     * Moves to the next field.
     *
     * @return whether there is one.
     * @throws BrokenFieldsException if the field exceeds the value, or bytes follow the last one.
     */
    boolean next()
    {
        final int left = packed.length - nextOffset;
        if (fieldsLeft == 0)
        {
            if (left != 0)
            {
                throw new BrokenFieldsException("value goes on after its last field: bytes=" + left);
            }
            return false;
        }
        if (left < FIELD_HEADER_LENGTH)
        {
            throw new BrokenFieldsException("value ends within a field: bytes=" + left);
        }
        final int nameLength = numbers.getInt(nextOffset + NAME_LENGTH_OFFSET);
        final int valueLength = numbers.getInt(nextOffset + VALUE_LENGTH_OFFSET);
        if (nameLength < 0 || valueLength < 0 || (long)nameLength + valueLength > left - FIELD_HEADER_LENGTH)
        {
            throw new BrokenFieldsException(
                "field is longer than its value: name=" + nameLength + " value=" + valueLength + " bytes=" + left);
        }
        nameOffset = nextOffset + FIELD_HEADER_LENGTH;
        valueOffset = nameOffset + nameLength;
        nextOffset = valueOffset + valueLength;
        fieldsLeft--;
        return true;
    }

    /** Name of the field. */
    String name()
    {
        return new String(packed, nameOffset, valueOffset - nameOffset, StandardCharsets.UTF_8);
    }

    /** Whether the field has a name, given in UTF-8. */
    boolean isNamed(final byte[] name)
    {
        return Arrays.equals(packed, nameOffset, valueOffset, name, 0, name.length);
    }

    /** Index of the field's value. */
    int valueOffset()
    {
        return valueOffset;
    }

    /** Length of the field's value in bytes. */
    int valueLength()
    {
        return nextOffset - valueOffset;
    }
}
