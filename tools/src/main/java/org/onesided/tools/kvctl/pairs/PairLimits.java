package org.onesided.tools.kvctl.pairs;

/**
 * Limits of a store's keys and values.
 *
 * @param maxKeyLength   length of the longest key in bytes; the shortest has one.
 * @param maxValueLength length of the longest value in bytes; the shortest has none.
 */
public record PairLimits(int maxKeyLength, int maxValueLength)
{
    String keyTooLong(final long length)
    {
        return "the key is too long: length=" + length + " longest=" + maxKeyLength;
    }

    String valueTooLong(final long length)
    {
        return "the value is too long: length=" + length + " longest=" + maxValueLength;
    }
}
