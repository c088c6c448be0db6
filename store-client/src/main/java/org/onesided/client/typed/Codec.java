package org.onesided.client.typed;

/**
 * Turns objects into the bytes of a key or a value, and back. Thread-safe where the view that has it is used by several
 * threads. What it throws reaches the caller of the view as it is.
 *
 * <p>A codec of keys must give equal bytes for equal keys, and different ones for others.
 *
 * @param <T> type of the objects.
 */
public interface Codec<T>
{
    /**
     * @param value to encode; never null.
     * @return its bytes, which nobody changes any more.
     */
    byte[] encode(T value);

    /**
     * @param bytes that {@link #encode} gave, or that another program has put; the codec's to keep.
     * @return the object; never null.
     */
    T decode(byte[] bytes);
}
