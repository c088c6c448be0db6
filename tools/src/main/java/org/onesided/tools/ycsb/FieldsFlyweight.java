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
 * Goes through the fields of a packed value. Trusts none of its lengths.
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
     * @param value to go through, from before its first field; not copied.
     * @return this.
     * @throws BrokenFieldsException if it does not begin as it must.
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
     * Goes back to before the first field.
     *
     * @return this.
     * @throws BrokenFieldsException if there is no room for as many fields as the value claims.
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
     * Goes to the next field.
     *
     * @return whether there is one.
     * @throws BrokenFieldsException if it passes the value's end, or something follows the last one.
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

    /** The field's name. */
    String name()
    {
        return new String(packed, nameOffset, valueOffset - nameOffset, StandardCharsets.UTF_8);
    }

    /** Whether that is the field's name, in UTF-8. */
    boolean isNamed(final byte[] name)
    {
        return Arrays.equals(packed, nameOffset, valueOffset, name, 0, name.length);
    }

    /** Where the field's value begins. */
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
