package org.onesided.linearizability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.ClusterProbe;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ScannedEntry;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * What one thread does to a cluster, at random, and records: lookups, some by request, puts, deletes, writes under a
 * condition, and counts, one by one and in batches, and scans.
 */
final class ClusterWorkload
{
    /** Keys with values. The counts follow them in histories. */
    static final int KEYS = 40;

    private static final int HOT_KEYS = 6;
    private static final int COUNTS = 4;
    private static final int MAX_BATCH = 12;
    /** One lookup of so many asks the leader before it READs anything. */
    private static final int ASK_ODDS = 12;
    /** One thing of so many is a scan, which counts for as many operations as there are keys. */
    private static final int SCAN_ODDS = 400;
    private static final String COUNT = "count-";

    private final StoreClient store;
    private final ClusterProbe probe;
    private final List<byte[]> keys;
    private final Recorder recorder;
    private final Random random;
    private final int writer;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Values.MAX_LENGTH]);
    private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
    /** How often the scan that goes on has passed each key. */
    private final int[] passes = new int[KEYS];
    /** At so many operations it scans, if it has not been that lucky before. */
    private long scanAt;
    private int count;
    private long requests;
    private long scans;
    private long failures;
    private StoreException lastFailure;

    ClusterWorkload(
        final StoreClient store, final List<byte[]> keys, final Recorder recorder, final long seed,
        final int writer)
    {
        this.store = store;
        probe = new ClusterProbe(store);
        this.keys = keys;
        this.recorder = recorder;
        this.writer = writer;
        random = new Random(seed * 1009 + writer);
        scanAt = writer == Minima.SCANNER ? Minima.FIRST_SCAN : Long.MAX_VALUE;
        for (int key = 0; key < KEYS; key++)
        {
            numbers.put(ByteBuffer.wrap(keys.get(key)), key);
        }
    }

    /** The keys of a run: those with values only. */
    static List<byte[]> keys(final long seed)
    {
        final Random random = new Random(seed);
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++)
        {
            final byte[] key = new byte[8 + random.nextInt(40)];
            random.nextBytes(key);
            keys.add(key);
        }
        return keys;
    }

    void run(final long operations)
    {
        while (recorder.count() < operations)
        {
            final int draw = random.nextInt(100);
            if (random.nextInt(SCAN_ODDS) == 0 || recorder.count() >= scanAt)
            {
                scan();
            }
            else if (draw < 45)
            {
                if (random.nextInt(ASK_ODDS) == 0)
                {
                    ask(anyKey());
                }
                else
                {
                    get(anyKey());
                }
            }
            else if (draw < 52)
            {
                getAll();
            }
            else if (draw < 55)
            {
                contains(anyKey());
            }
            else if (draw < 70)
            {
                put(anyKey());
            }
            else if (draw < 74)
            {
                putAll();
            }
            else if (draw < 80)
            {
                delete(anyKey());
            }
            else if (draw < 88)
            {
                putWhatWasSeen(anyKey());
            }
            else if (draw < 96)
            {
                add(random.nextInt(COUNTS));
            }
            else
            {
                count(random.nextInt(COUNTS));
            }
        }
    }

    /** Looks each key up, and each count. */
    void getEach()
    {
        for (int key = 0; key < KEYS; key++)
        {
            get(key);
        }
        for (int number = 0; number < COUNTS; number++)
        {
            count(number);
        }
    }

    long failures()
    {
        return failures;
    }

    /** Lookups that the leader answered. */
    long requests()
    {
        return requests;
    }

    /** Scans that passed all keys. */
    long scans()
    {
        return scans;
    }

    StoreException lastFailure()
    {
        return lastFailure;
    }

    private int anyKey()
    {
        return random.nextBoolean() ? random.nextInt(HOT_KEYS) : random.nextInt(KEYS);
    }

    private byte[] nextValue()
    {
        final int draw = random.nextInt(1000);
        final int length = Values.MIN_LENGTH +
            random.nextInt(draw < 3 ? 1_500_000 : draw < 30 ? 30_000 : draw < 200 ? 3000 : 120);
        Values.fill(buffer, Values.number(writer, length, ++count));
        final byte[] value = new byte[length];
        buffer.getBytes(0, value);
        return value;
    }

    private static long numberOf(final byte[] value)
    {
        return value == null ? Operation.ABSENT : Values.read(new UnsafeBuffer(value), value.length);
    }

    private Fate failed(final StoreException failure)
    {
        failures++;
        lastFailure = failure;
        return Workload.fate(failure.writeFate());
    }

    private void get(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final byte[] value = store.get(keys.get(key));
            recorder.add(key, Kind.GET, Fate.DONE, numberOf(value), Operation.NO_VERSION, invokeNs, System.nanoTime());
        }
        catch (final StoreException e)
        {
            failed(e);
        }
    }

    private void ask(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final byte[] value = probe.ask(keys.get(key));
            recorder.add(key, Kind.ASK, Fate.DONE, numberOf(value), Operation.NO_VERSION, invokeNs, System.nanoTime());
            requests++;
        }
        catch (final StoreException e)
        {
            failed(e);
        }
    }

    /** What it promises is what lookups do, as for the scans of {@link Workload}. */
    private void scan()
    {
        Arrays.fill(passes, 0);
        scanAt = scanAt == Long.MAX_VALUE ? scanAt : recorder.count() + Minima.NEXT_SCAN;
        final long invokeNs = System.nanoTime();
        try
        {
            store.scanEntries((entry) -> passed(entry, invokeNs));
        }
        catch (final StoreDisconnectedException e)
        {
            // It does not go on where another member leads.
            return;
        }
        catch (final StoreException e)
        {
            failed(e);
            return;
        }
        final long returnNs = System.nanoTime();
        for (int key = 0; key < KEYS; key++)
        {
            if (passes[key] == 0)
            {
                recorder.add(key, Kind.GET, Fate.DONE, Operation.ABSENT, Operation.NO_VERSION, invokeNs, returnNs);
            }
        }
        scans++;
        scanAt = Long.MAX_VALUE;
    }

    private void passed(final ScannedEntry entry, final long invokeNs)
    {
        final long passedNs = System.nanoTime();
        final byte[] key = new byte[entry.key().capacity()];
        entry.key().getBytes(0, key);
        final Integer number = numbers.get(ByteBuffer.wrap(key));
        if (number == null && new String(key, US_ASCII).startsWith(COUNT))
        {
            return;
        }
        // No key can have the value of one that there is not.
        recorder.add(number == null ? 0 : number, Kind.GET, Fate.DONE,
            number == null ? Operation.CORRUPT : Values.read(entry.value(), entry.value().capacity()),
            number == null ? Operation.NO_VERSION : entry.version().number(), invokeNs, passedNs);
        if (number != null && passes[number]++ > 0)
        {
            recorder.add(number, Kind.GET, Fate.DONE, Operation.ABSENT, Operation.NO_VERSION, invokeNs, passedNs);
        }
    }

    private void contains(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final boolean isPresent = store.contains(keys.get(key));
            recorder.add(key, Kind.CONTAINS, Fate.DONE, isPresent ? Operation.PRESENT : Operation.ABSENT,
                Operation.NO_VERSION, invokeNs, System.nanoTime());
        }
        catch (final StoreException e)
        {
            failed(e);
        }
    }

    private void put(final int key)
    {
        final byte[] value = nextValue();
        final long invokeNs = System.nanoTime();
        Fate fate = Fate.DONE;
        try
        {
            store.put(keys.get(key), value);
        }
        catch (final StoreException e)
        {
            fate = failed(e);
        }
        recorder.add(key, Kind.PUT, fate, numberOf(value), Operation.NO_VERSION, invokeNs, System.nanoTime());
    }

    private void delete(final int key)
    {
        final long invokeNs = System.nanoTime();
        Fate fate = Fate.DONE;
        long found = Operation.ANY;
        try
        {
            found = store.delete(keys.get(key)) ? Operation.PRESENT : Operation.ABSENT;
        }
        catch (final StoreException e)
        {
            fate = failed(e);
        }
        recorder.add(key, Kind.DELETE, fate, found, Operation.NO_VERSION, invokeNs, System.nanoTime());
    }

    /** Looks a value up, and puts another one if it is still there. */
    private void putWhatWasSeen(final int key)
    {
        final VersionedValue<byte[]> seen = look(key);
        if (seen == null)
        {
            return;
        }
        final byte[] value = nextValue();
        final Version version = seen.version();
        final long expected = numberOf(seen.value());
        final long invokeNs = System.nanoTime();
        try
        {
            final WriteOutcome outcome = store.putIfVersion(keys.get(key), value, version);
            final boolean isApplied = outcome.applied();
            final Version met = outcome.version();
            recorder.add(key, isApplied ? Kind.PUT : Kind.MEET, Fate.DONE,
                isApplied ? numberOf(value) : met == null ? Operation.ABSENT : Operation.PRESENT,
                met == null ? Operation.NO_VERSION : met.number(), invokeNs, System.nanoTime(),
                isApplied ? expected : Operation.ANY, isApplied ? Operation.KEEP : Operation.FOR_EVER);
        }
        catch (final StoreException e)
        {
            recorder.add(key, Kind.PUT, failed(e), numberOf(value), Operation.NO_VERSION, invokeNs, System.nanoTime(),
                expected, Operation.KEEP);
        }
    }

    private VersionedValue<byte[]> look(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final VersionedValue<byte[]> seen = store.getVersioned(keys.get(key));
            recorder.add(key, Kind.GET, Fate.DONE, seen == null ? Operation.ABSENT : numberOf(seen.value()),
                seen == null ? Operation.NO_VERSION : seen.version().number(), invokeNs, System.nanoTime());
            return seen;
        }
        catch (final StoreException e)
        {
            failed(e);
            return null;
        }
    }

    private int[] anyKeys()
    {
        return random.ints(0, KEYS).distinct().limit(2 + random.nextInt(MAX_BATCH - 1)).toArray();
    }

    private List<byte[]> keysOf(final int[] chosen)
    {
        final List<byte[]> named = new ArrayList<>();
        for (final int key : chosen)
        {
            named.add(keys.get(key));
        }
        return named;
    }

    private void getAll()
    {
        final int[] chosen = anyKeys();
        final long invokeNs = System.nanoTime();
        try
        {
            final List<byte[]> values = store.getAll(keysOf(chosen));
            final long returnNs = System.nanoTime();
            for (int i = 0; i < chosen.length; i++)
            {
                recorder.add(chosen[i], Kind.GET, Fate.DONE, numberOf(values.get(i)), Operation.NO_VERSION, invokeNs,
                    returnNs);
            }
        }
        catch (final StoreException e)
        {
            failed(e);
        }
    }

    private void putAll()
    {
        final int[] chosen = anyKeys();
        final List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < chosen.length; i++)
        {
            values.add(nextValue());
        }
        final long invokeNs = System.nanoTime();
        StoreBatchException partly = null;
        Fate all = Fate.DONE;
        try
        {
            store.putAll(keysOf(chosen), values);
        }
        catch (final StoreBatchException e)
        {
            failed(e);
            partly = e;
        }
        catch (final StoreException e)
        {
            all = failed(e);
        }
        final long returnNs = System.nanoTime();
        for (int i = 0; i < chosen.length; i++)
        {
            recorder.add(chosen[i], Kind.PUT, partly == null ? all : Workload.fate(partly.fate(i)),
                numberOf(values.get(i)), Operation.NO_VERSION, invokeNs, returnNs);
        }
    }

    private static byte[] name(final int number)
    {
        return (COUNT + number).getBytes(US_ASCII);
    }

    private void add(final int number)
    {
        final long invokeNs = System.nanoTime();
        long reached = 0;
        Fate fate = Fate.DONE;
        try
        {
            reached = store.increment(name(number), 1);
        }
        catch (final StoreException e)
        {
            fate = failed(e);
        }
        recorder.add(KEYS + number, Kind.ADD, fate, reached, Operation.NO_VERSION, invokeNs, System.nanoTime());
    }

    private void count(final int number)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final byte[] value = store.get(name(number));
            recorder.add(KEYS + number, Kind.COUNT, Fate.DONE,
                value == null ? 0 : Long.parseLong(new String(value, US_ASCII)), Operation.NO_VERSION, invokeNs,
                System.nanoTime());
        }
        catch (final StoreException e)
        {
            failed(e);
        }
    }
}
