package org.onesided.server.memory;

/**
 * Where a part gets its segments from. Thread-safe.
 */
interface SegmentSource
{
    /** Whether the system refuses memory for now. */
    boolean isRefused();

    /** Bytes that are left for heaps, or for indexes, in whole pages. */
    long left(boolean isIndex);

    /** Bytes that a part should have free that has so many; fewer near the end of the memory. */
    long ahead(long usable, boolean isIndex);

    /** A part wants more. */
    void wakeUp();

    /** What segments are counted in that compete with each other. */
    MemoryPool pool();

    /** A part has got a segment, and can use it. */
    void onTaken(long length);

    /** A segment of a part was given back, and its memory is free. */
    void onGiven(long length);
}
