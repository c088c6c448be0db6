package org.onesided.verbs;

/**
 * A range of native memory whose offsets and lengths are checked in 64 bits: the one place where an offset becomes a
 * raw address. It neither owns the memory nor knows whether it is still there.
 *
 * @param address of the first byte.
 * @param length  in bytes.
 */
public record MemoryRange(long address, long length)
{
    /**
     * @param address of the first byte.
     * @param length  in bytes.
     */
    public MemoryRange
    {
        if (length < 0 || address + length < address)
        {
            throw new IllegalArgumentException("not a range: address=" + address + " length=" + length);
        }
    }

    /**
     * @param offset from the start, in bytes.
     * @param size   of what is accessed there, in bytes.
     * @return the raw address of {@code offset}.
     * @throws IndexOutOfBoundsException if {@code offset .. offset + size} is not inside.
     */
    public long addressOf(final long offset, final long size)
    {
        if (!contains(offset, size))
        {
            throw new IndexOutOfBoundsException(
                "outside the memory: offset=" + offset + " size=" + size + " length=" + length);
        }
        return address + offset;
    }

    /**
     * @param offset from the start, in bytes.
     * @param size   in bytes.
     * @return whether {@code offset .. offset + size} is inside.
     */
    public boolean contains(final long offset, final long size)
    {
        return (offset | size) >= 0 && size <= length && offset <= length - size;
    }

    /**
     * @param offset from the start, in bytes.
     * @param size   in bytes.
     * @return the part of this range that begins at {@code offset}.
     * @throws IndexOutOfBoundsException if it is not inside.
     */
    public MemoryRange slice(final long offset, final long size)
    {
        return new MemoryRange(addressOf(offset, size), size);
    }
}
