package org.onesided.server.shard.execution;

import org.agrona.UnsafeApi;

/**
 * Reads numbers of 64 bits from decimal text: a minus sign if the number is below zero, then digits, without leading
 * zeros. So each number has one text only.
 */
final class DecimalText
{
    /** Bytes of the longest text, that of {@link Long#MIN_VALUE}. */
    static final int MAX_LENGTH = 20;

    private long number;

    /**
     * Reads a number.
     *
     * @param address raw address of the text.
     * @param length  of the text in bytes.
     * @return whether the text is that of a number.
     */
    boolean read(final long address, final int length)
    {
        if (length < 1 || length > MAX_LENGTH)
        {
            return false;
        }
        final boolean isNegative = UnsafeApi.getByte(address) == '-';
        final int first = isNegative ? 1 : 0;
        if (first == length || UnsafeApi.getByte(address + first) == '0' && length > 1)
        {
            return false;
        }
        // Counts downwards, as the lowest number has no positive counterpart.
        long sum = 0;
        for (int i = first; i < length; i++)
        {
            final int digit = UnsafeApi.getByte(address + i) - '0';
            if (digit < 0 || digit > 9 || sum < (Long.MIN_VALUE + digit) / 10)
            {
                return false;
            }
            sum = sum * 10 - digit;
        }
        if (!isNegative && sum == Long.MIN_VALUE)
        {
            return false;
        }
        number = isNegative ? sum : -sum;
        return true;
    }

    /** The number that was read last. */
    long number()
    {
        return number;
    }
}
