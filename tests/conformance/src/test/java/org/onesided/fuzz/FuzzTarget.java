package org.onesided.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * A decoder that takes any bytes. Found through {@code ServiceLoader}. Used by one thread at a time.
 */
public interface FuzzTarget extends AutoCloseable
{
    /**
     * @return what it is called: the folder of its corpus, and the argument that chooses it.
     */
    String name();

    /**
     * Feeds the decoder.
     *
     * @param input any bytes.
     * @throws Exception if the decoder did other than take them, or refuse them as it is documented to.
     */
    void feed(byte[] input) throws Exception;

    /**
     * @return inputs to begin with, besides those of the corpus: what this build's encoders write.
     */
    default List<byte[]> seeds()
    {
        return List.of();
    }

    /**
     * @return pieces of text that the decoder knows, to be strewn in.
     */
    default List<String> words()
    {
        return List.of();
    }

    /**
     * @return length of the longest input in bytes.
     */
    default int maxLength()
    {
        return 4096;
    }

    /**
     * @param inputLength of an input in bytes.
     * @return bytes that may be allocated for it, see {@link #allocated}.
     */
    default long maxAllocated(final int inputLength)
    {
        return (256L << 10) + 64L * inputLength;
    }

    /**
     * @return bytes that the threads which decode have allocated so far; this thread's own if it is the one.
     */
    default long allocated()
    {
        return ((ThreadMXBean)ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Override
    default void close()
    {
    }
}
