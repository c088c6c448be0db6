package org.onesided.verbs;

import org.agrona.UnsafeApi;

/**
 * Writes arrays of {@code ibv_sge}.
 */
final class Elements
{
    private Elements()
    {
    }

    static void put(
        final long array, final int index, final int capacity, final long address, final int length, final int localKey)
    {
        if (index >= capacity)
        {
            throw new IllegalStateException("too many scatter/gather elements: capacity=" + capacity);
        }
        final long element = array + (long)index * ElementDescriptor.LENGTH;
        UnsafeApi.putLong(element + ElementDescriptor.ADDRESS_OFFSET, address);
        UnsafeApi.putInt(element + ElementDescriptor.LENGTH_OFFSET, length);
        UnsafeApi.putInt(element + ElementDescriptor.LOCAL_KEY_OFFSET, localKey);
    }
}
