package org.onesided.tools.load.run;

import java.util.Locale;
import org.onesided.tools.load.value.ValueCodec;
import org.onesided.tools.load.value.Writers;
import org.onesided.tools.load.workload.Workload;
import org.onesided.tools.load.workload.WorkloadSetting;

/**
 * The plan of a load run.
 *
 * @param workload     to run.
 * @param phases       to run.
 * @param threads      per client process, from 1.
 * @param clients      processes, from 1.
 * @param target       operations per second of all clients in the run phase; 0 for as many as possible.
 * @param durationNs   of the run phase in nanoseconds, 0 for no limit.
 * @param warmUpNs     of the run phase in nanoseconds, not measured.
 * @param verification whether values are verified.
 * @param seed         of the random numbers.
 */
public record RunPlan(
    Workload workload,
    Phases phases,
    int threads,
    int clients,
    double target,
    long durationNs,
    long warmUpNs,
    Verify verification,
    long seed)
{
    private static final int MAX_CLIENTS = 256;

    /** Which phases there are. */
    public enum Phases
    {
        /** Put all records. */
        LOAD,
        /** Work on records that are there. */
        RUN,
        /** One after the other. */
        BOTH;

        /**
         * @return whether records are put.
         */
        public boolean hasLoad()
        {
            return this != RUN;
        }

        /**
         * @return whether there is work on the records.
         */
        public boolean hasRun()
        {
            return this != LOAD;
        }

        /** The name on the command line. */
        @Override
        public String toString()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether values are verified. */
    public enum Verify
    {
        /** Where load runs have written them. */
        AUTO,
        /** Always. */
        ON,
        /** Never. */
        OFF,
    }

    /**
     * Checks that the parts fit together.
     *
     * @param workload     that it runs.
     * @param phases       which phases.
     * @param threads      per client process.
     * @param clients      processes.
     * @param target       operations a second, 0 for as many as can be.
     * @param durationNs   of the run phase, 0 for no limit.
     * @param warmUpNs     of the run phase.
     * @param verification whether values are verified.
     * @param seed         of the random numbers.
     * @throws IllegalArgumentException if they do not.
     */
    public RunPlan
    {
        WorkloadSetting.THREADS.check(threads);
        require(clients >= 1 && clients <= MAX_CLIENTS, "clients are out of range, 1 to " + MAX_CLIENTS, "clients",
            clients);
        WorkloadSetting.TARGET.check(target);
        require(workload.insertCount() >= clients, "each client needs a record, give more or take fewer clients",
            "records", workload.insertCount());
        if (verification == Verify.ON && workload.valueLength() < ValueCodec.MIN_LENGTH)
        {
            throw new IllegalArgumentException("values below " + ValueCodec.MIN_LENGTH + " bytes cannot be verified, " +
                "have longer fields or --no-verify: length=" + workload.valueLength());
        }
        assert threads <= Writers.MAX_COUNT;
    }

    /**
     * @param otherSeed of the random numbers.
     * @return the same plan, but for that.
     */
    public RunPlan withSeed(final long otherSeed)
    {
        return new RunPlan(
            workload, phases, threads, clients, target, durationNs, warmUpNs, verification, otherSeed);
    }

    private static void require(final boolean is, final String rule, final String name, final Object value)
    {
        if (!is)
        {
            throw new IllegalArgumentException(rule + ": " + name + "=" + value);
        }
    }
}
