package org.onesided.linearizability;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.read.SessionProbe;
import org.onesided.client.types.ScannedEntry;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * What one session does, at random, and records: lookups, puts in and out of place, deletes and new inserts, one by
 * one, in batches, and many at a time.
 */
final class Workload
{
    private static final int MAX_FLIPS = 8;
    /** Of 100 things to do, those that are lookups. */
    private static final int LOOKUPS = 46;
    /** How long all sessions favour one key. */
    private static final long MOMENT_NS = 60_000_000;
    /** One lookup of so many asks the server before it READs anything. */
    private static final int ASK_ODDS = 16;
    /** Values of no more bytes are in the answer to a lookup by request. */
    private static final int SURELY_ANSWERED = 1000;
    /** One thing of so many is done where buckets are split. */
    private static final int FRONT_ODDS = 4;
    /** So many keys to each side of that place are used, the near ones more often. */
    private static final int FRONT_WIDTH = 4;
    /** One thing of so many is a scan, which counts for as many operations as there are keys. */
    private static final int SCAN_ODDS = 300;
    /** One thing of so many has to do with the time when a key expires. */
    private static final int EXPIRY_ODDS = 12;

    private final StoreSession session;
    private final SessionProbe probe;
    private final List<byte[]> keys;
    private final Recorder recorder;
    private final Load load;
    private final long seed;
    private final Random random;
    private final NextValue next;
    private final UnsafeBuffer value;
    private final UnsafeBuffer keyBuffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4096, 64));
    private final AsyncBurst burst;
    private final ConditionalWrites conditional;
    private final Batches batches;
    private final ExpiringWrites expiring;
    private final SharedCounts counts;
    private final SplitFront front;
    /** Where each key was when this session put it last. */
    private final long[] buckets;
    /** Whether it looks up most of the time: while writes wait for a slow writer, somebody must look. */
    private final boolean isReader;
    /** Whether the server evicts. Then a count may begin anew, so nobody counts. */
    private final boolean evicts;
    private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
    /** How often the scan that goes on has passed each key. */
    private final int[] passes;
    private long scans;
    /** At so many operations it scans, if it has not been that lucky before. */
    private long scanAt;
    private long full;
    private long failures;
    private StoreException lastFailure;

    Workload(
        final StoreSession session,
        final List<byte[]> keys,
        final Recorder recorder,
        final Load load,
        final long seed,
        final int writer)
    {
        this.session = session;
        this.keys = keys;
        this.recorder = recorder;
        this.load = load;
        this.seed = seed;
        random = new Random(seed * 1009 + writer);
        probe = new SessionProbe(session);
        final RecordImages images = new RecordImages(keys, probe.superblock().checkSeed());
        next = new NextValue(keys, images, random, load, writer, this::anyKeyOfLongValues);
        value = next.value();
        buckets = new long[keys.size()];
        passes = new int[keys.size()];
        for (int i = 0; i < keys.size(); i++)
        {
            numbers.put(ByteBuffer.wrap(keys.get(i)), i);
        }
        isReader = writer % 2 == 1;
        scanAt = writer == Minima.SCANNER ? Minima.FIRST_SCAN : Long.MAX_VALUE;
        evicts = session.server().evicts();
        front = new SplitFront(probe, keys);
        burst = new AsyncBurst(this, session, recorder, load);
        conditional = new ConditionalWrites(this, session, probe, recorder);
        batches = new Batches(this, session, probe, recorder, keys.size());
        expiring = new ExpiringWrites(this, session, conditional, recorder);
        counts = new SharedCounts(this, session, recorder, keys.size(), writer);
    }

    void run(final long operations)
    {
        while (recorder.count() < operations)
        {
            final int draw = random.nextInt(isReader && random.nextInt(16) > 0 ? LOOKUPS : 100);
            if (random.nextInt(SCAN_ODDS) == 0 || recorder.count() >= scanAt)
            {
                scan();
            }
            else if (random.nextInt(load.countOdds()) == 0 && !evicts)
            {
                counts.run();
            }
            else if (load.expires() && random.nextInt(EXPIRY_ODDS) == 0)
            {
                expiring.run(anyKey());
            }
            else if (random.nextInt(FRONT_ODDS) == 0)
            {
                atFront();
            }
            else if (draw < 40)
            {
                get(anyKey(), random.nextInt(ASK_ODDS) == 0);
            }
            else if (draw < 43)
            {
                contains(anyKey());
            }
            else if (draw < LOOKUPS)
            {
                batches.getAll();
            }
            else if (draw < 60)
            {
                conditional.run(anyKey());
            }
            else if (draw < 74)
            {
                put(anyKey());
            }
            else if (draw < 78)
            {
                batches.putAll();
            }
            else if (draw < 80)
            {
                delete(anyKey());
            }
            else if (draw < 90)
            {
                flip();
            }
            else if (draw < 96)
            {
                sweep();
            }
            else
            {
                burst.run();
            }
        }
    }

    /** Looks each key up. */
    void getEach()
    {
        for (int i = 0; i < keys.size(); i++)
        {
            get(i, i % 2 == 0);
        }
        if (!evicts)
        {
            counts.countEach();
        }
    }

    /** Operations that failed because the store was full. */
    long full()
    {
        return full;
    }

    /** Operations that failed otherwise. */
    long failures()
    {
        return failures;
    }

    /** Record READs whose check word did not fit. */
    long tornReads()
    {
        return probe.tornReads();
    }

    /** Lookups for which the server was asked. */
    long requests()
    {
        return probe.requests();
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

    Random random()
    {
        return random;
    }

    byte[] key(final int key)
    {
        return keys.get(key);
    }

    /** A key: half of the time the one that all sessions favour just now, so that they meet. */
    int anyKey()
    {
        return anyKey(random.nextBoolean() ? random : new SplittableRandom(seed + System.nanoTime() / MOMENT_NS));
    }

    private int anyOfCrowd()
    {
        return Keys.FIRST_OF_CROWD + random.nextInt(Keys.CROWD);
    }

    private int anyKeyOfLongValues()
    {
        int key = anyKey();
        while (key < Keys.SMALL)
        {
            key = anyKey();
        }
        return key;
    }

    /** A key, hot ones more often, of each kind. */
    private int anyKey(final RandomGenerator generator)
    {
        final double draw = generator.nextDouble();
        final double part = draw * draw * draw;
        final int kind = generator.nextInt(20);
        return kind < 7 ? (int)(part * draw * Keys.SMALL) :
            kind < 11 ? Keys.FIRST_OF_CROWD + generator.nextInt(Keys.CROWD) :
            Keys.SMALL + (int)(part * (keys.size() - Keys.SMALL));
    }

    /** What makes the values that are put. */
    NextValue next()
    {
        return next;
    }

    /** Notes a failure; what it tells of a write's fate. */
    Fate failed(final StoreException failure)
    {
        if (failure instanceof StoreFullException ||
            failure instanceof StoreBatchException && failure.getCause() instanceof StoreFullException)
        {
            full++;
        }
        else
        {
            failures++;
            lastFailure = failure;
        }
        return fate(failure.writeFate());
    }

    static Fate fate(final WriteFate fate)
    {
        return switch (fate)
        {
            case APPLIED -> Fate.DONE;
            case UNKNOWN -> Fate.UNKNOWN;
            case NOT_APPLIED, NONE -> Fate.NOT_APPLIED;
        };
    }

    private void get(final int key, final boolean asks)
    {
        final byte[] bytes = keys.get(key);
        keyBuffer.putBytes(0, bytes);
        probe.askFirst(asks);
        probe.begin();
        final long invokeNs = System.nanoTime();
        try
        {
            final int length = session.get(keyBuffer, 0, bytes.length, value, 0);
            final long returnNs = System.nanoTime();
            final boolean hasAsked = probe.hasAsked();
            // A longer one may be READ after all, if too many are lent.
            final Kind kind = asks && hasAsked && length <= SURELY_ANSWERED ? Kind.ASK : Kind.GET;
            final long number = length < 0 ? Operation.ABSENT : Values.read(value, length);
            final long version = length < 0 ? Operation.NO_VERSION :
                hasAsked ? probe.askedVersion(length) : probe.readVersion(length);
            recorder.add(key, kind, Fate.DONE, number, version, invokeNs, returnNs);
        }
        catch (final StoreException e)
        {
            failed(e);
        }
        finally
        {
            probe.askFirst(false);
        }
    }

    /**
     * What a scan promises is what lookups do: each pair that it passes held before it was passed; a key that it has
     * not passed was absent at some moment; and so was one that it passes once more, before that.
     */
    private void scan()
    {
        Arrays.fill(passes, 0);
        scanAt = scanAt == Long.MAX_VALUE ? scanAt : recorder.count() + Minima.NEXT_SCAN;
        probe.begin();
        final long invokeNs = System.nanoTime();
        try
        {
            session.scanEntries(entry -> passed(entry, invokeNs));
        }
        catch (final StoreException e)
        {
            // A scan does not go on in the memory of another process of the server.
            if (load != Load.KILLS || !(e instanceof StoreDisconnectedException))
            {
                failed(e);
            }
            return;
        }
        final long returnNs = System.nanoTime();
        for (int key = 0; key < passes.length; key++)
        {
            if (passes[key] == 0)
            {
                recorder.add(key, Kind.GET, Fate.DONE, Operation.ABSENT, 0, invokeNs, returnNs);
            }
        }
        scans++;
        scanAt = Long.MAX_VALUE;
    }

    private void passed(final ScannedEntry entry, final long invokeNs)
    {
        final long passedNs = System.nanoTime();
        final DirectBuffer key = entry.key();
        final DirectBuffer found = entry.value();
        final byte[] bytes = new byte[key.capacity()];
        key.getBytes(0, bytes);
        final Integer number = numbers.get(ByteBuffer.wrap(bytes));
        if (number == null && (Growth.isOne(key, found) || Tide.isOne(key, found) || SharedCounts.isOne(key)))
        {
            return;
        }
        if (number == null)
        {
            // There is no such key: none of them can have this value.
            recorder.add(0, Kind.GET, Fate.DONE, Operation.CORRUPT, 0, invokeNs, passedNs);
            return;
        }
        recorder.add(number, Kind.GET, Fate.DONE, Values.read(found, found.capacity()), entry.version().number(),
            invokeNs, passedNs);
        if (passes[number]++ > 0)
        {
            recorder.add(number, Kind.GET, Fate.DONE, Operation.ABSENT, 0, invokeNs, passedNs);
        }
    }

    private void contains(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final boolean isPresent = session.contains(keys.get(key));
            recorder.add(key, Kind.CONTAINS, Fate.DONE,
                isPresent ? Operation.PRESENT : Operation.ABSENT, 0, invokeNs, System.nanoTime());
        }
        catch (final StoreException e)
        {
            failed(e);
        }
    }

    private void put(final int key)
    {
        put(key, next.ofAnyLength(key));
    }

    private void put(final int key, final long number)
    {
        final byte[] bytes = keys.get(key);
        keyBuffer.putBytes(0, bytes);
        final long invokeNs = System.nanoTime();
        Fate fate = Fate.DONE;
        long version = Operation.NO_VERSION;
        try
        {
            session.put(keyBuffer, 0, bytes.length, value, 0, Values.length(number));
            version = probe.writeVersion();
            buckets[key] = probe.writeBucket();
        }
        catch (final StoreException e)
        {
            fate = failed(e);
        }
        recorder.add(key, Kind.PUT, fate, number, version, invokeNs, System.nanoTime());
    }

    /**
     * Looks up, or writes, a key where buckets are split. Many keys are deleted before and put anew behind: whoever
     * looks into the old bucket misses them.
     */
    private void atFront()
    {
        final boolean isAhead = random.nextBoolean();
        final int distance = Math.min(random.nextInt(FRONT_WIDTH), random.nextInt(FRONT_WIDTH));
        final int any = random.nextInt(keys.size());
        final int key = isAhead ? front.ahead(any, distance) : front.behind(any, distance);
        if (random.nextBoolean() || isReader && random.nextInt(16) > 0)
        {
            get(key, false);
        }
        else if (isAhead && random.nextBoolean())
        {
            delete(key);
        }
        else
        {
            put(key);
        }
    }

    /** Empties one of the buckets of a chain, and fills the chain anew; or moves a few of its keys. */
    private void sweep()
    {
        if (random.nextBoolean())
        {
            for (int rounds = MAX_FLIPS; rounds > 0; rounds--)
            {
                burst.renew(anyOfCrowd());
            }
            return;
        }
        for (int i = 0; i < Keys.CROWD; i++)
        {
            put(Keys.FIRST_OF_CROWD + i);
        }
        final long bucket = buckets[Keys.FIRST_OF_CROWD + random.nextInt(Keys.CROWD)];
        final int[] swept = IntStream.range(Keys.FIRST_OF_CROWD, Keys.FIRST_OF_CROWD + Keys.CROWD)
            .filter(key -> buckets[key] == bucket).toArray();
        burst.flip(swept);
    }

    /**
     * Deletes a key and puts it anew, or puts it elsewhere, a few times: a short record is soon where it was each time.
     */
    private void flip()
    {
        final int any = anyKey();
        // In a chain each delete moves another key, which may be the one that others favour.
        final int key = Keys.isOfCrowd(any) ? anyOfCrowd() : any;
        for (int rounds = 1 + random.nextInt(MAX_FLIPS); rounds > 0; rounds--)
        {
            switch (random.nextInt(3))
            {
                case 0 -> burst.renew(key);
                case 1 -> put(key);
                default ->
                {
                    delete(key);
                    put(key, next.ofUsualLength(key));
                }
            }
        }
    }

    private void delete(final int key)
    {
        final long invokeNs = System.nanoTime();
        Fate fate = Fate.DONE;
        long found = Operation.ANY;
        long version = Operation.NO_VERSION;
        try
        {
            final boolean wasPresent = session.delete(keys.get(key));
            found = wasPresent ? Operation.PRESENT : Operation.ABSENT;
            version = wasPresent ? probe.writeVersion() : version;
        }
        catch (final StoreException e)
        {
            fate = failed(e);
        }
        recorder.add(key, Kind.DELETE, fate, found, version, invokeNs, System.nanoTime());
    }
}
