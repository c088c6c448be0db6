package org.onesided.model;

import java.util.Arrays;

/**
 * A state of the model of records: their memory, which operation the writer is about, and how far the reader is.
 */
final class HeapWorld
{
    private static final int CURRENT = Heap.WORDS;
    private static final int NEXT_VERSION = CURRENT + 1;
    private static final int IS_GONE = NEXT_VERSION + 1;
    private static final int OPERATION = IS_GONE + 1;
    private static final int STEP = OPERATION + 2;
    private static final int READER = STEP + 1;
    private static final int LENGTH = READER + HeapReader.LENGTH;

    final byte[] bytes;

    private HeapWorld(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    /** The first keys are there, each in its slot, with versions that are their numbers. */
    static HeapWorld start(final int keys)
    {
        final HeapWorld start = new HeapWorld(new byte[LENGTH]);
        for (int key = 1; key <= keys; key++)
        {
            start.word(Heap.slot(key - 1), key);
            start.word(Heap.check(key), Heap.code(key, key, key));
            start.word(Heap.version(key), key);
            start.word(Heap.key(key), key);
        }
        start.bytes[CURRENT] = Heap.SOUGHT;
        start.bytes[NEXT_VERSION] = Heap.KEYS + 1;
        return start;
    }

    HeapWorld copy()
    {
        return new HeapWorld(bytes.clone());
    }

    int word(final int at)
    {
        return bytes[at];
    }

    void word(final int at, final int value)
    {
        bytes[at] = (byte)value;
    }

    /** Version of the sought key, or {@link Heap#NONE} while it is absent. */
    int current()
    {
        return bytes[CURRENT];
    }

    void current(final int version)
    {
        bytes[CURRENT] = (byte)version;
        HeapReader.noteCurrent(this);
    }

    int nextVersion()
    {
        return bytes[NEXT_VERSION];
    }

    void takeVersion()
    {
        bytes[NEXT_VERSION]++;
    }

    /** Whether the segment of the last place has gone. */
    boolean isGone()
    {
        return bytes[IS_GONE] != 0;
    }

    void isGone(final boolean value)
    {
        bytes[IS_GONE] = (byte)(value ? 1 : 0);
    }

    /** Number of the operation that the writer is about, or 0. */
    int operation()
    {
        return bytes[OPERATION] << Byte.SIZE | bytes[OPERATION + 1] & 0xFF;
    }

    /** How many of its stores are done. */
    int step()
    {
        return bytes[STEP];
    }

    void operation(final int number, final int step)
    {
        bytes[OPERATION] = (byte)(number >> Byte.SIZE);
        bytes[OPERATION + 1] = (byte)number;
        bytes[STEP] = (byte)step;
    }

    /** A field of the reader. */
    int reader(final int field)
    {
        return bytes[READER + field];
    }

    void reader(final int field, final int value)
    {
        bytes[READER + field] = (byte)value;
    }

    /** In a line to be read by people. */
    @Override
    public String toString()
    {
        return "slots and records " + Arrays.toString(Arrays.copyOf(bytes, Heap.WORDS)) + " current=" + current() +
            (isGone() ? " gone" : "") + " operation=" + Integer.toHexString(operation()) + " step=" + step() + " " +
            HeapReader.text(this);
    }
}
