package org.onesided.tools.load.value;

import org.agrona.DirectBuffer;

/**
 * Checks whether the values that a thread reads are plausible. For one thread, which also reports its writes.
 */
public final class ValueVerifier
{
    /** Of all threads of a process together. */
    private static final long MAX_LENGTH = 72L << 20;
    private static final long MIN_CAPACITY = 1 << 6;
    private static final long KEY_ROOM = 4;
    private static final long LEAST_WRITERS = 4;

    private final Writers writers;
    private final SeenValues seen;
    private String finding = "";
    /** Keeps the compiler from removing the prefetches. */
    private long expected;

    /**
     * @param writers of this process; together they remember up to a million of their own values and as many of others,
     *                in 72 MiB.
     * @param writer  number of this thread's writer.
     * @param keys    that may occur.
     */
    public ValueVerifier(final Writers writers, final int writer, final long keys)
    {
        this.writers = writers;
        final long most = MAX_LENGTH / SeenValues.ENTRY_LENGTH / writers.count();
        seen = new SeenValues(
            writers.identity(writer),
            capacity(KEY_ROOM * keys, most),
            capacity(KEY_ROOM * keys * Math.max(LEAST_WRITERS, writers.count()), most));
    }

    /**
     * Announces the next item, to prefetch what is known of it.
     *
     * @param key number of the item.
     */
    public void expect(final long key)
    {
        expected += seen.touch(key);
    }

    /**
     * Checks a value.
     *
     * @param key    number of the item.
     * @param value  from the lookup, at the beginning of its buffer.
     * @param length of it in bytes.
     * @return the fault, or null.
     */
    public Fault verify(final long key, final DirectBuffer value, final int length)
    {
        if (!ValueCodec.isWhole(value, length))
        {
            return found(Fault.NEVER_WRITTEN, length + " bytes that no writer writes, for key number " + key);
        }
        final long writer = ValueCodec.writer(value);
        final long counter = ValueCodec.counter(value);
        if (!writers.mayHaveWritten(writer, counter))
        {
            return found(Fault.NEVER_WRITTEN, "key number " + key + " has a value that " + name(writer) +
                " has not written: counter " + counter);
        }
        if (ValueCodec.key(value) != key)
        {
            return found(Fault.ANOTHER_KEY,
                "key number " + key + " has the value of key number " + ValueCodec.key(value));
        }
        final long latest = seen.see(key, writer, counter);
        return counter >= latest ? null : found(Fault.OLDER, "key number " + key + " has a value of " + name(writer) +
            " with counter " + counter + " after one with counter " + latest);
    }

    /**
     * Checks an absent value.
     *
     * @param key       number of the item.
     * @param isWritten whether the item is known to have been put.
     * @return the fault, or null.
     */
    public Fault verifyAbsent(final long key, final boolean isWritten)
    {
        return isWritten || seen.hasSeen(key) ?
            found(Fault.LOST, "key number " + key + " is absent, though it was put") : null;
    }

    /**
     * Checks an absent value where keys expire.
     *
     * @param key        number of the item.
     * @param firstAlive least counter of this thread's writes that cannot have expired.
     * @return the fault, or null.
     */
    public Fault verifyExpired(final long key, final long firstAlive)
    {
        return seen.latestOwn(key) >= firstAlive ?
            found(Fault.LOST, "key number " + key + " is absent before its time is over") : null;
    }

    /**
     * Records a write of this thread that has taken effect; older values are overwritten.
     *
     * @param key     number of the item.
     * @param writer  of the value.
     * @param counter of the write.
     */
    public void wrote(final long key, final long writer, final long counter)
    {
        seen.see(key, writer, counter);
    }

    /**
     * @return the latest fault, as a sentence.
     */
    public String finding()
    {
        return finding;
    }

    private static int capacity(final long wanted, final long most)
    {
        final long rounded = 2 * Long.highestOneBit(wanted);
        return (int)Math.max(MIN_CAPACITY, Math.min(Long.highestOneBit(most), rounded));
    }

    private Fault found(final Fault fault, final String sentence)
    {
        finding = sentence;
        return fault;
    }

    private static String name(final long writer)
    {
        return "writer " + Long.toHexString(writer);
    }
}
