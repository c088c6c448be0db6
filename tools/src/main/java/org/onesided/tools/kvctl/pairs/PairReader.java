package org.onesided.tools.kvctl.pairs;

import java.io.IOException;

/**
 * Reads pairs line by line. Not thread-safe.
 */
public interface PairReader
{
    /**
     * Reads the next line.
     *
     * @return whether there was one; its pair is in {@link #key} and {@link #value}.
     * @throws BrokenLineException if the line holds no pair; the next call reads the line after it.
     * @throws IOException         if the input cannot be read.
     */
    boolean next() throws BrokenLineException, IOException;

    /**
     * @return key of the line read last, in an array of its own.
     */
    byte[] key();

    /**
     * @return value of the line read last, in an array of its own.
     */
    byte[] value();

    /**
     * @return number of the line read last, from 1.
     */
    long line();

    /**
     * @return bytes taken from the input so far.
     */
    long bytesRead();
}
