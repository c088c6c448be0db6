package org.onesided.verbs;

/**
 * Memory of a device whose addresses are all taken at once, and whose bytes come piece by piece. {@link #range} is all
 * of its addresses; only what was committed may be used, and registered, unless the device
 * {@linkplain Context#registersOnDemand registers on demand}. Thread-safe.
 */
public interface GrowableMemory extends DeviceMemory
{
    /**
     * Makes a piece usable: zeroed, and existing in whole, so that no access fails later. Pages that it shares with
     * other pieces stay as they are, and so do those that a {@link #release} did not give back. If this fails, the
     * piece is as it was.
     *
     * @param offset of the piece from the start, in bytes.
     * @param length of the piece in bytes.
     * @throws VerbsException with {@code ENOMEM} or {@code ENOSPC}, naming the limit and the way out.
     * @throws IndexOutOfBoundsException if the piece is not inside.
     */
    void commit(long offset, long length);

    /**
     * Checks whether so much may be committed now, as {@link #commit} does, but makes nothing.
     *
     * @param length in bytes.
     * @throws VerbsException as {@link #commit}; it may still be thrown there.
     */
    void checkGrowth(long length);

    /**
     * Gives the pages of a piece back that nobody uses nor has registered. Pages that it shares with other pieces stay.
     *
     * @param offset of the piece from the start, in bytes.
     * @param length of the piece in bytes.
     * @throws VerbsException if the system does not take some of them: they are {@link #kept}, and the others are gone.
     * @throws IndexOutOfBoundsException if the piece is not inside.
     */
    void release(long offset, long length);

    /**
     * @return bytes that exist, in whole pages.
     */
    long committed();

    /**
     * @return bytes of pages that were released, but that the system did not take back, and that were not committed
     *         again since.
     */
    long kept();
}
