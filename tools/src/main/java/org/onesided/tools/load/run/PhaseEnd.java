package org.onesided.tools.load.run;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.FailureCount;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.Verification;

/**
 * The totals of a phase, apart from its intervals.
 *
 * @param ending       reason of the end.
 * @param elapsedNs    from the begin of the measurement to the end of the last operation, in nanoseconds.
 * @param done         operations that succeeded.
 * @param failed       operations that did not.
 * @param behind       operations that were due but not started.
 * @param isVerified   whether values were verified.
 * @param failures     by operation and kind.
 * @param verification result.
 * @param client       counters of the client.
 * @param cpuNs        processor time of the process in nanoseconds.
 * @param notes        other facts.
 */
record PhaseEnd(
    PhaseResult.Ending ending,
    long elapsedNs,
    long done,
    long failed,
    long behind,
    boolean isVerified,
    List<FailureCount> failures,
    Verification verification,
    ClientTotals client,
    long cpuNs,
    List<String> notes)
{
    private static final int MAX_COUNT = 1 << 10;

    /** Combines two processes that ran at the same time. */
    PhaseEnd plus(final PhaseEnd other)
    {
        return new PhaseEnd(
            ending.compareTo(other.ending) > 0 ? ending : other.ending,
            Math.max(elapsedNs, other.elapsedNs),
            done + other.done,
            failed + other.failed,
            behind + other.behind,
            isVerified || other.isVerified,
            Counts.failures(List.of(failures, other.failures)),
            new Verification(
                verification.verified() + other.verification.verified(),
                Counts.faults(List.of(verification.faults(), other.verification.faults()))),
            client.plus(other.client),
            cpuNs + other.cpuNs,
            Counts.both(notes, other.notes));
    }

    PhaseEnd with(final PhaseResult.Ending otherEnding, final List<String> moreNotes)
    {
        return new PhaseEnd(otherEnding, elapsedNs, done, failed, behind, isVerified, failures, verification, client,
            cpuNs, Counts.both(notes, moreNotes));
    }

    void encode(final DataOutput out) throws IOException
    {
        out.writeInt(ending.ordinal());
        out.writeLong(elapsedNs);
        out.writeLong(done);
        out.writeLong(failed);
        out.writeLong(behind);
        out.writeBoolean(isVerified);
        out.writeInt(failures.size());
        for (final FailureCount failure : failures)
        {
            out.writeUTF(failure.operation());
            out.writeUTF(failure.kind());
            out.writeLong(failure.count());
            out.writeUTF(failure.example());
        }
        out.writeLong(verification.verified());
        out.writeInt(verification.faults().size());
        for (final Verification.FaultCount fault : verification.faults())
        {
            out.writeUTF(fault.kind());
            out.writeLong(fault.count());
            out.writeUTF(fault.example());
        }
        out.writeLong(client.gets());
        out.writeLong(client.mirrorHits());
        out.writeLong(client.bucketReads());
        out.writeLong(client.recordReads());
        out.writeLong(client.bytesRead());
        out.writeLong(client.retries());
        out.writeLong(client.rpcGets());
        out.writeLong(client.puts());
        out.writeLong(client.reconnects());
        out.writeLong(cpuNs);
        out.writeInt(notes.size());
        for (final String note : notes)
        {
            out.writeUTF(note);
        }
    }

    static PhaseEnd decode(final DataInput in) throws IOException
    {
        return new PhaseEnd(
            PhaseResult.Ending.values()[count(in, PhaseResult.Ending.values().length - 1)],
            in.readLong(),
            in.readLong(),
            in.readLong(),
            in.readLong(),
            in.readBoolean(),
            failures(in),
            new Verification(in.readLong(), faults(in)),
            new ClientTotals(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(),
                in.readLong(), in.readLong(), in.readLong(), in.readLong()),
            in.readLong(),
            notes(in));
    }

    private static List<FailureCount> failures(final DataInput in) throws IOException
    {
        final List<FailureCount> all = new ArrayList<>();
        for (int left = count(in, MAX_COUNT); left > 0; left--)
        {
            all.add(new FailureCount(in.readUTF(), in.readUTF(), in.readLong(), in.readUTF()));
        }
        return List.copyOf(all);
    }

    private static List<Verification.FaultCount> faults(final DataInput in) throws IOException
    {
        final List<Verification.FaultCount> all = new ArrayList<>();
        for (int left = count(in, MAX_COUNT); left > 0; left--)
        {
            all.add(new Verification.FaultCount(in.readUTF(), in.readLong(), in.readUTF()));
        }
        return List.copyOf(all);
    }

    private static List<String> notes(final DataInput in) throws IOException
    {
        final List<String> all = new ArrayList<>();
        for (int left = count(in, MAX_COUNT); left > 0; left--)
        {
            all.add(in.readUTF());
        }
        return List.copyOf(all);
    }

    private static int count(final DataInput in, final int max) throws IOException
    {
        final int count = in.readInt();
        if (count < 0 || count > max)
        {
            throw new IOException("out of range: number=" + count + " largest=" + max);
        }
        return count;
    }
}
