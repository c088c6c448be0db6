package org.onesided.linearizability;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.read.SessionProbe;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * Lookups and puts of many keys in one call of a session.
 */
final class Batches
{
    private static final int MAX_BATCH = 48;

    private final Workload workload;
    private final StoreSession session;
    private final SessionProbe probe;
    private final Recorder recorder;
    private final boolean[] isChosen;

    Batches(
        final Workload workload, final StoreSession session, final SessionProbe probe, final Recorder recorder,
        final int keys)
    {
        this.workload = workload;
        this.session = session;
        this.probe = probe;
        this.recorder = recorder;
        isChosen = new boolean[keys];
    }

    /** Looks up many keys. */
    void getAll()
    {
        final int[] chosen = anyKeys(MAX_BATCH);
        final List<byte[]> asked = keysOf(chosen);
        final long[] numbers = new long[chosen.length];
        final long[] versions = new long[chosen.length];
        final boolean[] isTold = new boolean[chosen.length];
        probe.begin();
        final long invokeNs = System.nanoTime();
        try
        {
            session.getAll(asked, (final int i, final DirectBuffer found) ->
            {
                isTold[i] = true;
                if (found != null)
                {
                    numbers[i] = Values.read(found, found.capacity());
                    versions[i] = probe.readVersion(found.capacity());
                }
            });
        }
        catch (final StoreException e)
        {
            workload.failed(e);
        }
        final long returnNs = System.nanoTime();
        for (int i = 0; i < chosen.length; i++)
        {
            if (isTold[i])
            {
                recorder.add(chosen[i], Kind.GET, Fate.DONE, numbers[i], versions[i], invokeNs, returnNs);
            }
        }
    }

    /** Puts many keys. */
    void putAll()
    {
        final int[] chosen = anyKeys(MAX_BATCH / 2);
        final long[] numbers = new long[chosen.length];
        final List<byte[]> values = new ArrayList<>(chosen.length);
        for (int i = 0; i < chosen.length; i++)
        {
            numbers[i] = workload.next().ofAnyLength(chosen[i]);
            final byte[] bytes = new byte[Values.length(numbers[i])];
            workload.next().value().getBytes(0, bytes);
            values.add(bytes);
        }
        final List<byte[]> asked = keysOf(chosen);
        final long invokeNs = System.nanoTime();
        StoreBatchException partly = null;
        Fate all = Fate.DONE;
        try
        {
            session.putAll(asked, values);
        }
        catch (final StoreBatchException e)
        {
            workload.failed(e);
            partly = e;
        }
        catch (final StoreException e)
        {
            all = workload.failed(e);
        }
        final long returnNs = System.nanoTime();
        for (int i = 0; i < chosen.length; i++)
        {
            final Fate fate = partly == null ? all : Workload.fate(partly.fate(i));
            recorder.add(chosen[i], Kind.PUT, fate, numbers[i], 0, invokeNs, returnNs);
        }
    }

    private int[] anyKeys(final int most)
    {
        final int[] chosen = new int[2 + workload.random().nextInt(most - 1)];
        for (int i = 0; i < chosen.length; )
        {
            final int key = workload.anyKey();
            if (!isChosen[key])
            {
                isChosen[key] = true;
                chosen[i++] = key;
            }
        }
        for (final int key : chosen)
        {
            isChosen[key] = false;
        }
        return chosen;
    }

    private List<byte[]> keysOf(final int[] chosen)
    {
        final List<byte[]> result = new ArrayList<>(chosen.length);
        for (final int key : chosen)
        {
            result.add(workload.key(key));
        }
        return result;
    }
}
