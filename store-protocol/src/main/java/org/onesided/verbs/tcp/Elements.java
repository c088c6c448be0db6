package org.onesided.verbs.tcp;

import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;

/**
 * Copies between a piece of a message and the scatter/gather elements that make up the whole.
 */
final class Elements
{
    private Elements()
    {
    }

    /**
     * @param elements address of an {@code ibv_sge} array.
     * @param count    of elements.
     * @param offset   of the piece in the message.
     * @param target   address to copy the piece to.
     * @param length   of the piece; the elements hold at least so much.
     */
    static void gather(
        final long elements, final int count, final long offset, final long target, final int length)
    {
        copy(elements, count, offset, target, length, true);
    }

    /**
     * @param elements address of an {@code ibv_sge} array.
     * @param count    of elements.
     * @param offset   of the piece in the message.
     * @param source   address to copy the piece from.
     * @param length   of the piece; the elements hold at least so much.
     */
    static void scatter(
        final long elements, final int count, final long offset, final long source, final int length)
    {
        copy(elements, count, offset, source, length, false);
    }

    private static void copy(
        final long elements,
        final int count,
        final long offset,
        final long message,
        final int length,
        final boolean gathers)
    {
        long skipped = offset;
        int done = 0;
        for (int i = 0; i < count && done < length; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long size = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (skipped < size)
            {
                final int piece = (int)Math.min(size - skipped, length - done);
                final long inside = UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET) + skipped;
                final long outside = message + done;
                UnsafeApi.copyMemory(gathers ? inside : outside, gathers ? outside : inside, piece);
                done += piece;
                skipped = 0;
            }
            else
            {
                skipped -= size;
            }
        }
    }
}
