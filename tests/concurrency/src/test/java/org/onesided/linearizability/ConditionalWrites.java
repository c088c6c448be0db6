package org.onesided.linearizability;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.read.SessionProbe;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * Writes of one session under a condition: that a key is absent, or present, or has the value that was looked up; and
 * writes that return the value before.
 */
final class ConditionalWrites
{
    /** One value of so many is put by a pull. */
    private static final int LONG_ODDS = 4;

    private final Workload workload;
    private final StoreSession session;
    private final SessionProbe probe;
    private final Recorder recorder;
    private final Random random;
    private final NextValue next;
    private final MutableVersion version = new MutableVersion();

    ConditionalWrites(
        final Workload workload, final StoreSession session, final SessionProbe probe, final Recorder recorder)
    {
        this.workload = workload;
        this.session = session;
        this.probe = probe;
        this.recorder = recorder;
        random = workload.random();
        next = workload.next();
    }

    void run(final int key)
    {
        switch (random.nextInt(7))
        {
            case 0 -> put(key, Operation.ABSENT, null);
            case 1 -> put(key, Operation.PRESENT, null);
            case 2 -> getAndPut(key);
            case 3 -> getAndDelete(key);
            default -> writeWhatWasSeen(key);
        }
    }

    private void writeWhatWasSeen(final int key)
    {
        final long seen = look(key);
        if (seen == Operation.ABSENT)
        {
            put(key, Operation.ABSENT, null);
        }
        else if (seen != Operation.CORRUPT && random.nextInt(4) == 0)
        {
            delete(key, seen, version.toVersion());
        }
        else if (seen != Operation.CORRUPT)
        {
            put(key, seen, version.toVersion());
        }
    }

    /** Looks a value up with its version; its number, or CORRUPT if the lookup failed, too. */
    private long look(final int key)
    {
        final byte[] bytes = workload.key(key);
        probe.askFirst(random.nextInt(8) == 0);
        final long invokeNs = System.nanoTime();
        try
        {
            final int length =
                session.getVersioned(new UnsafeBuffer(bytes), 0, bytes.length, next.value(), 0, version);
            // No record has version 0.
            final long number = length < 0 ? Operation.ABSENT :
                version.number() == 0 ? Operation.CORRUPT : Values.read(next.value(), length);
            recorder.add(key, Kind.GET, Fate.DONE, number, version.number(), invokeNs, System.nanoTime());
            return number;
        }
        catch (final StoreException e)
        {
            workload.failed(e);
            return Operation.CORRUPT;
        }
        finally
        {
            probe.askFirst(false);
        }
    }

    private void put(final int key, final long expected, final Version seen)
    {
        final long ttlNs = expected == Operation.ABSENT ? Operation.FOR_EVER : Operation.KEEP;
        final byte[] bytes = workload.key(key);
        final UnsafeBuffer name = new UnsafeBuffer(bytes);
        final long number = random.nextInt(LONG_ODDS) == 0 ? next.ofLongValue(key) : next.ofAnyLength(key);
        final int length = Values.length(number);
        final long invokeNs = System.nanoTime();
        try
        {
            final WriteOutcome outcome =
                expected == Operation.ABSENT ?
                    session.putIfAbsent(name, 0, bytes.length, next.value(), 0, length) :
                expected == Operation.PRESENT ?
                    session.putIfPresent(name, 0, bytes.length, next.value(), 0, length) :
                    session.putIfVersion(name, 0, bytes.length, next.value(), 0, length, seen);
            if (outcome.applied())
            {
                recorder.add(key, Kind.PUT, Fate.DONE, number, outcome.version().number(), invokeNs,
                    System.nanoTime(), expected, ttlNs);
            }
            else
            {
                meet(key, expected, seen, outcome, invokeNs);
            }
        }
        catch (final StoreException e)
        {
            recorder.add(key, Kind.PUT, workload.failed(e), number, Operation.NO_VERSION, invokeNs,
                System.nanoTime(), expected, ttlNs);
        }
    }

    private void delete(final int key, final long expected, final Version seen)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final WriteOutcome outcome = session.deleteIfVersion(workload.key(key), seen);
            if (outcome.applied())
            {
                recorder.add(key, Kind.DELETE, Fate.DONE, Operation.PRESENT, probe.writeVersion(), invokeNs,
                    System.nanoTime(), expected, Operation.FOR_EVER);
            }
            else
            {
                meet(key, expected, seen, outcome, invokeNs);
            }
        }
        catch (final StoreException e)
        {
            recorder.add(key, Kind.DELETE, workload.failed(e), Operation.ANY, Operation.NO_VERSION, invokeNs,
                System.nanoTime(), expected, Operation.FOR_EVER);
        }
    }

    /** Records what a write met whose condition did not hold. It must not be what it was to find. */
    void meet(
        final int key, final long expected, final Version seen, final WriteOutcome outcome, final long invokeNs)
    {
        final Version met = outcome.version();
        final boolean isMistaken = expected == Operation.ABSENT ? met == null :
            expected == Operation.PRESENT ? met != null : seen.equals(met);
        final long value = met == null ? Operation.ABSENT : Operation.PRESENT;
        recorder.add(key, isMistaken ? Kind.GET : Kind.MEET, Fate.DONE, isMistaken ? Operation.CORRUPT : value,
            met == null ? Operation.NO_VERSION : met.number(), invokeNs, System.nanoTime());
    }

    private void getAndPut(final int key)
    {
        final long number = next.ofAnyLength(key);
        final byte[] value = new byte[Values.length(number)];
        next.value().getBytes(0, value);
        final long invokeNs = System.nanoTime();
        try
        {
            final byte[] before = session.getAndPut(workload.key(key), value);
            recorder.add(key, Kind.PUT, Fate.DONE, number, probe.writeVersion(), invokeNs, System.nanoTime(),
                numberOf(before), Operation.KEEP);
        }
        catch (final StoreException e)
        {
            // It may have found whatever there was.
            recorder.add(key, Kind.PUT, workload.failed(e), number, Operation.NO_VERSION, invokeNs, System.nanoTime(),
                Operation.ANY, Operation.KEEP);
        }
    }

    private void getAndDelete(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final long before = numberOf(session.getAndDelete(workload.key(key)));
            final boolean isDeleted = before != Operation.ABSENT;
            recorder.add(key, Kind.DELETE, Fate.DONE, isDeleted ? Operation.PRESENT : Operation.ABSENT,
                isDeleted ? probe.writeVersion() : Operation.NO_VERSION, invokeNs, System.nanoTime(),
                isDeleted ? before : Operation.ANY, Operation.FOR_EVER);
        }
        catch (final StoreException e)
        {
            recorder.add(key, Kind.DELETE, workload.failed(e), Operation.ANY, Operation.NO_VERSION, invokeNs,
                System.nanoTime());
        }
    }

    private static long numberOf(final byte[] value)
    {
        return value == null ? Operation.ABSENT : Values.read(new UnsafeBuffer(value), value.length);
    }
}
