package org.onesided.linearizability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * Keys under which all sessions count: numbers, incremented by one, and lists, to which items of one length are
 * appended, each item once. The length of a list is its count.
 */
final class SharedCounts
{
    /** Numbers, then lists. They follow the other keys in histories. */
    static final int KEYS = 18;

    private static final int NUMBERS = 2;
    /** A list of so many items is followed by the next, so that the last only gets longer than that. */
    private static final int USUAL_ITEMS = 500;
    private static final int MOST_ITEMS = 4000;
    /** No other key of a run is so short. */
    private static final int NAME_LENGTH = 2;

    private final Workload workload;
    private final StoreSession session;
    private final Recorder recorder;
    private final int first;
    private final UnsafeBuffer item = new UnsafeBuffer(new byte[Long.BYTES]);
    private final long writer;
    private long items;
    private int list = NUMBERS;

    /**
     * @param first  number of the first key, in histories.
     * @param writer whose items these are.
     */
    SharedCounts(
        final Workload workload, final StoreSession session, final Recorder recorder, final int first,
        final int writer)
    {
        this.workload = workload;
        this.session = session;
        this.recorder = recorder;
        this.first = first;
        this.writer = writer;
    }

    /** Whether a pair is one of these. */
    static boolean isOne(final DirectBuffer key)
    {
        return key.capacity() == NAME_LENGTH;
    }

    void run()
    {
        final int key = workload.random().nextBoolean() ? workload.random().nextInt(NUMBERS) : list;
        if (workload.random().nextInt(3) == 0)
        {
            count(key);
        }
        else
        {
            add(key);
        }
    }

    /** Looks up each count. */
    void countEach()
    {
        for (int key = 0; key < KEYS; key++)
        {
            count(key);
        }
    }

    private void add(final int key)
    {
        item.putLong(0, writer << Integer.SIZE | ++items);
        final long invokeNs = System.nanoTime();
        try
        {
            final long count = key < NUMBERS ? session.increment(name(key), 1) :
                session.append(name(key), item.byteArray()) / Long.BYTES;
            recorder.add(first + key, Kind.ADD, Fate.DONE, count, Operation.NO_VERSION, invokeNs, System.nanoTime());
            if (key == list && count > (list == KEYS - 1 ? MOST_ITEMS : USUAL_ITEMS))
            {
                list = list == KEYS - 1 ? 0 : list + 1;
            }
        }
        catch (final StoreException e)
        {
            recorder.add(first + key, Kind.ADD, workload.failed(e), 0, Operation.NO_VERSION, invokeNs,
                System.nanoTime());
        }
    }

    private void count(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final byte[] value = session.get(name(key));
            final long returnNs = System.nanoTime();
            recorder.add(first + key, Kind.COUNT, Fate.DONE, value == null ? 0 :
                key < NUMBERS ? Long.parseLong(new String(value, US_ASCII)) : itemCount(value),
                Operation.NO_VERSION, invokeNs, returnNs);
        }
        catch (final StoreException e)
        {
            workload.failed(e);
        }
    }

    /** How many items a list has, or {@link Operation#CORRUPT} if one is in it twice. */
    private static long itemCount(final byte[] value)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(value);
        final Set<Long> seen = new HashSet<>();
        for (int at = 0; at + Long.BYTES <= value.length; at += Long.BYTES)
        {
            seen.add(buffer.getLong(at));
        }
        return seen.size() * Long.BYTES == value.length ? seen.size() : Operation.CORRUPT;
    }

    private static byte[] name(final int key)
    {
        return new byte[]{(byte)(key < NUMBERS ? 'n' : 'l'), (byte)('a' + key)};
    }
}
