package org.onesided.linearizability;

import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes the values that a session puts, each of them once. Each key has a usual length: a record of that length is
 * overwritten in place, and one that was deleted is soon put where it was.
 */
final class NextValue
{
    private static final int MAX_SHORT = 40_000;
    private final List<byte[]> keys;
    private final RecordImages images;
    private final Random random;
    private final int writer;
    private final IntSupplier anyKeyOfLongValues;
    private final int[] usualLengths;
    private final Load load;
    private final UnsafeBuffer value;
    private int count;

    /**
     * @param load               tells how long they get.
     * @param writer             who puts them.
     * @param anyKeyOfLongValues for {@link RecordImages#fill}.
     */
    NextValue(
        final List<byte[]> keys,
        final RecordImages images,
        final Random random,
        final Load load,
        final int writer,
        final IntSupplier anyKeyOfLongValues)
    {
        this.keys = keys;
        this.images = images;
        this.random = random;
        this.load = load;
        this.writer = writer;
        value = new UnsafeBuffer(BufferUtil.allocateDirectAligned(load.longest() + 64, 64));
        this.anyKeyOfLongValues = anyKeyOfLongValues;
        usualLengths = new int[keys.size()];
        for (int i = 0; i < usualLengths.length; i++)
        {
            usualLengths[i] = Math.min(Load.USUAL.longest(), anyLength(i));
        }
    }

    /** The value that was made last; also room for one that is looked up. */
    UnsafeBuffer value()
    {
        return value;
    }

    /** Makes the next value of a key, half of the time of its usual length, and gives its number. */
    long ofAnyLength(final int key)
    {
        return of(key, random.nextBoolean() ? usualLengths[key] : anyLength(key));
    }

    /** Makes the next value of a key, longer than a message if the key's values may be, and gives its number. */
    long ofLongValue(final int key)
    {
        return key < Keys.SMALL ? ofAnyLength(key) : of(key, between(MAX_SHORT / 4, MAX_SHORT));
    }

    /** Makes the next value of a key, and gives its number. */
    long ofUsualLength(final int key)
    {
        return of(key, usualLengths[key]);
    }

    private long of(final int key, final int length)
    {
        final long number = Values.number(writer, length, ++count);
        Values.fill(value, number);
        if (random.nextInt(3) == 0)
        {
            images.fill(value, length, keys.get(key).length, random, anyKeyOfLongValues);
            Values.seal(value, number);
        }
        return number;
    }

    private int anyLength(final int key)
    {
        final int draw = random.nextInt(1000);
        return key < Keys.SMALL ? between(Values.MIN_LENGTH, 80) :
            draw < load.longOnes() ? load.longest() - random.nextInt(load.spread()) :
            draw < 20 ? between(5000, MAX_SHORT) :
            draw < 150 ? between(1000, 5000) :
            draw < 450 ? between(150, 1000) : between(Values.MIN_LENGTH, 150);
    }

    private int between(final int from, final int to)
    {
        return from + random.nextInt(to - from);
    }
}
