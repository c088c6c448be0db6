package org.onesided.linearizability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
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
    /** After so many items, the sessions go on with the next list; the last gets longer. */
    private static final int USUAL_ITEMS = 500;
    private static final int MOST_ITEMS = 4000;
    private static final int NO_LIST = -1;
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
    /** What this session saw last of each list: lists only get longer. */
    private final byte[][] seen = new byte[KEYS][0];

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
        final int key =
            list == NO_LIST || workload.random().nextBoolean() ? workload.random().nextInt(NUMBERS) : list;
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
                itemCount(session.append(name(key), item.byteArray()));
            recorder.add(first + key, Kind.ADD, Fate.DONE, count, Operation.NO_VERSION, invokeNs, System.nanoTime());
            if (key == list && count > (list == KEYS - 1 ? MOST_ITEMS : USUAL_ITEMS))
            {
                list = list == KEYS - 1 ? NO_LIST : list + 1;
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
                key < NUMBERS ? Long.parseLong(new String(value, US_ASCII)) : itemCount(key, value),
                Operation.NO_VERSION, invokeNs, returnNs);
        }
        catch (final StoreException e)
        {
            workload.failed(e);
        }
    }

    /** How many items a list of so many bytes has, or {@link Operation#CORRUPT}. */
    private static long itemCount(final int length)
    {
        return length % Long.BYTES == 0 ? length / Long.BYTES : Operation.CORRUPT;
    }

    /**
     * How many items a list has, or {@link Operation#CORRUPT} if one is in it twice, or if it does not begin with what
     * it was before.
     */
    private long itemCount(final int list, final byte[] value)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(value);
        final Set<Long> distinct = new HashSet<>();
        for (int at = 0; at + Long.BYTES <= value.length; at += Long.BYTES)
        {
            distinct.add(buffer.getLong(at));
        }
        final byte[] before = seen[list];
        seen[list] = value;
        return distinct.size() == itemCount(value.length) && value.length >= before.length &&
            Arrays.equals(value, 0, before.length, before, 0, before.length) ? distinct.size() : Operation.CORRUPT;
    }

    private static byte[] name(final int key)
    {
        return new byte[]{(byte)(key < NUMBERS ? 'n' : 'l'), (byte)('a' + key)};
    }
}
