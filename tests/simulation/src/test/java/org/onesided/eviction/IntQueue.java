package org.onesided.eviction;

/** A queue of numbers, first in, first out. */
final class IntQueue
{
    private int[] numbers = new int[16];
    private int first;
    private int size;

    int size()
    {
        return size;
    }

    void add(final int number)
    {
        if (size == numbers.length)
        {
            final int[] longer = new int[2 * size];
            for (int i = 0; i < size; i++)
            {
                longer[i] = numbers[first + i & size - 1];
            }
            numbers = longer;
            first = 0;
        }
        numbers[first + size++ & numbers.length - 1] = number;
    }

    int remove()
    {
        final int number = numbers[first];
        first = first + 1 & numbers.length - 1;
        size--;
        return number;
    }
}
