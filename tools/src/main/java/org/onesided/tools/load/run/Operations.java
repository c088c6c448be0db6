package org.onesided.tools.load.run;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.tools.load.value.Fault;
import org.onesided.tools.load.value.ValueCodec;
import org.onesided.tools.load.value.ValueVerifier;
import org.onesided.tools.load.value.Writers;
import org.onesided.tools.load.workload.KeyNames;
import org.onesided.tools.load.workload.OperationType;

/**
 * Timed and recorded lookups and puts of items by number. The time excludes making keys and verifying values. For one
 * thread.
 */
final class Operations
{
    /** Room for values of other writers. */
    private static final int LEAST_ROOM = 1 << 16;

    private final StoreAccess.Session session;
    private final PhaseClock clock;
    private final ThreadRecorder recorder;
    private final KeyNames names;
    private final UnsafeBuffer key;
    private final UnsafeBuffer read;
    private final UnsafeBuffer written;
    private final Writers writers;
    private final int writer;
    private final ValueVerifier verifier;
    /** Null if keys stay. */
    private final LivePuts livePuts;
    private int keyLength;
    private long startNs;
    private long endNs;

    /**
     * @param session     with the store.
     * @param clock       of the phase.
     * @param recorder    of the thread.
     * @param names       of items.
     * @param valueLength in bytes.
     * @param writers     of this process.
     * @param writer      number of this writer.
     * @param verifier    verifies values that are read; may be null.
     * @param livePuts    of this writer, that cannot have left yet; null if keys stay.
     */
    Operations(
        final StoreAccess.Session session,
        final PhaseClock clock,
        final ThreadRecorder recorder,
        final KeyNames names,
        final int valueLength,
        final Writers writers,
        final int writer,
        final ValueVerifier verifier,
        final LivePuts livePuts)
    {
        this.session = session;
        this.clock = clock;
        this.recorder = recorder;
        this.names = names;
        this.writers = writers;
        this.writer = writer;
        this.verifier = verifier;
        this.livePuts = livePuts;
        key = new UnsafeBuffer(new byte[names.maxLength()]);
        written = new UnsafeBuffer(new byte[valueLength]);
        read = new UnsafeBuffer(new byte[Math.max(LEAST_ROOM, valueLength)]);
    }

    /** Sets the key of the next operations. */
    void item(final long number)
    {
        if (verifier != null)
        {
            verifier.expect(number);
        }
        keyLength = names.write(number, key);
    }

    /** Start of the latest operation. */
    long startNs()
    {
        return startNs;
    }

    /** End of the latest operation. */
    long endNs()
    {
        return endNs;
    }

    /** The start that counts for an operation with this intended start, negative for now. */
    void measureFrom(final long intendedNs, final long nowNs)
    {
        recorder.measuring((intendedNs < 0 ? nowNs : intendedNs) >= clock.measureFromNs());
    }

    /**
     * Looks up the item.
     *
     * @param number      of the item.
     * @param isWritten   whether the item is known to have been put.
     * @param isVersioned whether its version is needed, to put the item under it.
     * @param intendedNs  intended start; negative for now.
     * @return whether it succeeded with a plausible value, or found no key where keys leave.
     */
    boolean read(final long number, final boolean isWritten, final boolean isVersioned, final long intendedNs)
    {
        startNs = clock.nowNs();
        measureFrom(intendedNs, startNs);
        final int length;
        try
        {
            length = isVersioned ? session.getVersioned(key, keyLength, read) : session.get(key, keyLength, read);
            endNs = clock.nowNs();
        }
        catch (final RuntimeException e)
        {
            endNs = clock.nowNs();
            recorder.failed(OperationType.READ, startNs, endNs, FailureKind.of(e), message(e));
            return false;
        }
        if (length == StoreAccess.ABSENT)
        {
            if (livePuts == null || !isRightlyGone(number))
            {
                verifyAbsent(number, isWritten);
                return false;
            }
        }
        else if (verifier != null)
        {
            recorder.verified();
            final Fault fault = verifier.verify(number, read, length);
            if (fault != null)
            {
                recorder.fault(fault, verifier.finding());
                recorder.failed(OperationType.READ, startNs, endNs, FailureKind.WRONG_VALUE, verifier.finding());
                return false;
            }
        }
        recorder.done(OperationType.READ, intendedNs < 0 ? startNs : intendedNs, startNs, endNs);
        return true;
    }

    /**
     * Puts a new value for the item.
     *
     * @param type       to record.
     * @param number     of the item.
     * @param intendedNs intended start; negative for now.
     * @return whether it succeeded.
     */
    boolean put(final OperationType type, final long number, final long intendedNs)
    {
        return put(type, number, false, intendedNs) == Outcome.DONE;
    }

    /**
     * Puts a new value for the item.
     *
     * @param type        to record.
     * @param number      of the item.
     * @param isVersioned whether only if it has the version that was read last.
     * @param intendedNs  intended start; negative for now.
     * @return what became of it.
     */
    Outcome put(final OperationType type, final long number, final boolean isVersioned, final long intendedNs)
    {
        final long identity = writers.identity(writer);
        final long counter = writers.nextCounter(writer);
        ValueCodec.write(written, written.capacity(), number, identity, counter);
        startNs = clock.nowNs();
        measureFrom(intendedNs, startNs);
        if (livePuts != null)
        {
            livePuts.begin(counter, startNs);
        }
        boolean isPut = true;
        try
        {
            if (isVersioned)
            {
                isPut = session.putIfUnchanged(key, keyLength, written, written.capacity());
            }
            else
            {
                session.put(key, keyLength, written, written.capacity());
            }
            endNs = clock.nowNs();
        }
        catch (final RuntimeException e)
        {
            endNs = clock.nowNs();
            recorder.failed(type, startNs, endNs, FailureKind.of(e), message(e));
            return Outcome.FAILED;
        }
        if (!isPut)
        {
            recorder.conflict();
            return Outcome.CONFLICT;
        }
        if (verifier != null)
        {
            verifier.wrote(number, identity, counter);
        }
        recorder.done(type, intendedNs < 0 ? startNs : intendedNs, startNs, endNs);
        return Outcome.DONE;
    }

    /** Whether an absent item may have left: nobody knows when another thread put it. */
    private boolean isRightlyGone(final long number)
    {
        return verifier == null || verifier.verifyExpired(number, livePuts.firstAlive(endNs)) == null;
    }

    private void verifyAbsent(final long number, final boolean isWritten)
    {
        final Fault fault = verifier == null || session.isAnew() ? null :
            livePuts != null ? verifier.verifyExpired(number, livePuts.firstAlive(endNs)) :
            verifier.verifyAbsent(number, isWritten);
        if (fault != null)
        {
            recorder.fault(fault, verifier.finding());
        }
        recorder.failed(OperationType.READ, startNs, endNs, FailureKind.NOT_FOUND,
            names.name(number) + " is not there");
    }

    private static String message(final RuntimeException e)
    {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
