package org.onesided.linearizability;

import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Fills values with images of records: header, key of others, and a check word as the table's records have it, but for
 * a place where no record can be. Once the value's record lies where others were, it looks like these to whoever does
 * not look close.
 */
final class RecordImages
{
    private static final int IMAGE_VALUE_LENGTH = 24;

    private final List<byte[]> keys;
    private final RecordCheck check;
    private final UnsafeBuffer image = new UnsafeBuffer(new byte[0]);

    RecordImages(final List<byte[]> keys, final long checkSeed)
    {
        this.keys = keys;
        check = new RecordCheck(checkSeed);
    }

    /**
     * Puts images into a value, which is direct memory, of a key of some length; {@link Values#seal} is to follow.
     *
     * @param anyKey whose images: keys of the same shard that move often, or nobody looks where the image is.
     */
    void fill(
        final UnsafeBuffer value,
        final int length,
        final int keyLength,
        final Random random,
        final IntSupplier anyKey)
    {
        final int before = RecordDescriptor.KEY_OFFSET + keyLength;
        int at = align(before + Long.BYTES) - before;
        while (true)
        {
            final byte[] key = keys.get(anyKey.getAsInt());
            final int end = at + RecordDescriptor.KEY_OFFSET + key.length + IMAGE_VALUE_LENGTH;
            if (end > length - Long.BYTES)
            {
                return;
            }
            write(value, at, key, random);
            at = align(before + end) - before;
        }
    }

    private void write(final UnsafeBuffer value, final int at, final byte[] key, final Random random)
    {
        final int recordLength = RecordDescriptor.KEY_OFFSET + key.length + IMAGE_VALUE_LENGTH;
        image.wrap(value, at, recordLength);
        image.putLong(RecordDescriptor.VERSION_OFFSET, random.nextLong() >>> 16);
        image.putShort(RecordDescriptor.FLAGS_OFFSET, (short)0);
        image.putShort(RecordDescriptor.KEY_LENGTH_OFFSET, (short)key.length);
        image.putInt(RecordDescriptor.VALUE_LENGTH_OFFSET, IMAGE_VALUE_LENGTH);
        image.putBytes(RecordDescriptor.KEY_OFFSET, key);
        final UnsafeBuffer inner =
            new UnsafeBuffer(image, RecordDescriptor.KEY_OFFSET + key.length, IMAGE_VALUE_LENGTH);
        Values.fill(inner, Values.number(Values.MAX_WRITER, IMAGE_VALUE_LENGTH, random.nextInt()));
        // Records are at whole granules.
        image.putLong(RecordDescriptor.CHECK_OFFSET,
            check.code(image.addressOffset(), recordLength, SlotWord.GRANULE / 2));
    }

    private static int align(final int offset)
    {
        return (offset + SlotWord.GRANULE - 1) / SlotWord.GRANULE * SlotWord.GRANULE;
    }
}
