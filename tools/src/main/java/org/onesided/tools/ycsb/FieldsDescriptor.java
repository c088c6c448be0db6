package org.onesided.tools.ycsb;

/**
 * Layout of the value that holds the fields of one YCSB record. Numbers are little-endian and signed.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                            Format                             |
 *  +---------------------------------------------------------------+
 *  |                          Field Count                          |
 *  +===============================================================+
 *  |                          Name Length                          |  Field Count times
 *  +---------------------------------------------------------------+
 *  |                         Value Length                          |
 *  +---------------------------------------------------------------+
 *  |                             Name                             ...
 *  +---------------------------------------------------------------+
 *  |                             Value                            ...
 *  +===============================================================+
 * </pre>
 *
 * The value ends with its last field; nothing is aligned or padded.
 */
final class FieldsDescriptor
{
    /** First word of the value, the bytes {@code YCS1}. */
    static final int FORMAT = 'Y' | 'C' << 8 | 'S' << 16 | '1' << 24;

    /** {@link #FORMAT}. */
    static final int FORMAT_OFFSET = 0;
    /** Number of fields, from 0. */
    static final int FIELD_COUNT_OFFSET = FORMAT_OFFSET + Integer.BYTES;
    /** Length of the header before the first field, in bytes. */
    static final int HEADER_LENGTH = FIELD_COUNT_OFFSET + Integer.BYTES;

    /** Length of a field's name, in bytes, from 0; relative to the field's beginning. */
    static final int NAME_LENGTH_OFFSET = 0;
    /** Length of a field's value, in bytes, from 0; relative to the field's beginning. */
    static final int VALUE_LENGTH_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;
    /** Length of the header before a field's name, which is UTF-8 and followed by the value. */
    static final int FIELD_HEADER_LENGTH = VALUE_LENGTH_OFFSET + Integer.BYTES;

    private FieldsDescriptor()
    {
    }
}
