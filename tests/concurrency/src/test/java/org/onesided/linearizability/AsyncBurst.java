package org.onesided.linearizability;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.MutableVersion;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * Operations of a session that are begun without waiting for each other, among them those that put a key anew behind
 * its delete.
 */
final class AsyncBurst implements AsyncListener
{
    private static final int MOST = 40;
    private static final int ROOM = Math.max(MOST, 2 * Keys.CROWD);

    private final Workload workload;
    private final NextValue next;
    private final Recorder recorder;
    private final Load load;
    private final AsyncSession async;
    private final UnsafeBuffer keyBuffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4096, 64));
    private final int[] keys = new int[ROOM];
    private final Kind[] kinds = new Kind[ROOM];
    private final long[] numbers = new long[ROOM];
    private final long[] beginsNs = new long[ROOM];

    AsyncBurst(final Workload workload, final StoreSession session, final Recorder recorder, final Load load)
    {
        this.workload = workload;
        next = workload.next();
        this.recorder = recorder;
        this.load = load;
        async = session.async(this);
    }

    void run()
    {
        final int count = 8 + workload.random().nextInt(MOST - 8);
        int again = -1;
        for (int i = 0; i < count; i++)
        {
            final int draw = workload.random().nextInt(10);
            final int key = again >= 0 ? again : anyKey(i);
            final Kind kind = again >= 0 || draw < 4 ? Kind.PUT : draw == 4 ? Kind.DELETE : Kind.GET;
            again = kind == Kind.DELETE ? key : -1;
            begin(i, kind, key);
        }
        async.drain();
    }

    /** A key that few operations of this burst use so far; a delete and a put of it may follow. */
    private int anyKey(final int begun)
    {
        int key = workload.anyKey();
        while (count(key, begun) > load.burstOfAKey() - 2)
        {
            key = workload.anyKey();
        }
        return key;
    }

    private int count(final int key, final int begun)
    {
        int count = 0;
        for (int i = 0; i < begun; i++)
        {
            count += keys[i] == key ? 1 : 0;
        }
        return count;
    }

    /** Deletes keys, all of them, and puts them anew. */
    void flip(final int[] flipped)
    {
        int i = 0;
        for (final int key : flipped)
        {
            begin(i++, Kind.DELETE, key);
        }
        for (final int key : flipped)
        {
            begin(i++, Kind.PUT, key);
        }
        async.drain();
    }

    /**
     * Deletes a key and puts it anew without waiting. No more than that: what is pending could explain
     * whatever is seen.
     */
    void renew(final int key)
    {
        begin(0, Kind.DELETE, key);
        begin(1, Kind.PUT, key, next.ofUsualLength(key));
        async.drain();
    }

    private void begin(final int i, final Kind kind, final int key)
    {
        begin(i, kind, key, kind == Kind.PUT ? next.ofAnyLength(key) : Operation.ANY);
    }

    private void begin(final int i, final Kind kind, final int key, final long number)
    {
        kinds[i] = kind;
        keys[i] = key;
        numbers[i] = number;
        final byte[] bytes = workload.key(key);
        keyBuffer.putBytes(0, bytes);
        beginsNs[i] = System.nanoTime();
        while (!isBegun(i, kind, bytes.length))
        {
            if (async.poll() == 0)
            {
                // Who is to answer may want this core.
                Thread.yield();
            }
        }
    }

    private boolean isBegun(final int i, final Kind kind, final int keyLength)
    {
        return switch (kind)
        {
            case PUT -> async.put(
                keyBuffer, 0, keyLength, next.value(), 0, Values.length(numbers[i]), i);
            case DELETE -> async.delete(keyBuffer, 0, keyLength, i);
            default -> async.get(keyBuffer, 0, keyLength, i);
        };
    }

    @Override
    public void onValue(final long correlation, final DirectBuffer value)
    {
        throw new IllegalStateException("not told the version");
    }

    @Override
    public void onValue(final long correlation, final DirectBuffer value, final MutableVersion version)
    {
        ended(correlation, Fate.DONE, value == null ? Operation.ABSENT : Values.read(value, value.capacity()),
            version.number());
    }

    @Override
    public void onPut(final long correlation)
    {
        throw new IllegalStateException("not told the version");
    }

    @Override
    public void onPut(final long correlation, final MutableVersion version)
    {
        ended(correlation, Fate.DONE, numbers[(int)correlation], version.number());
    }

    @Override
    public void onDelete(final long correlation, final boolean wasPresent)
    {
        ended(correlation, Fate.DONE, wasPresent ? Operation.PRESENT : Operation.ABSENT, Operation.NO_VERSION);
    }

    @Override
    public void onFailure(final long correlation, final StoreException failure)
    {
        final Fate fate = workload.failed(failure);
        if (kinds[(int)correlation] != Kind.GET)
        {
            ended(correlation, fate, numbers[(int)correlation], Operation.NO_VERSION);
        }
    }

    private void ended(final long correlation, final Fate fate, final long value, final long version)
    {
        final int i = (int)correlation;
        recorder.add(keys[i], kinds[i], fate, value, version, beginsNs[i], System.nanoTime());
    }
}
