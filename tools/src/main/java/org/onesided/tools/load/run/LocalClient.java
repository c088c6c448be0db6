package org.onesided.tools.load.run;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.onesided.tools.load.output.StoreFacts;
import org.onesided.tools.load.value.ValueCodec;
import org.onesided.tools.load.value.ValueVerifier;
import org.onesided.tools.load.value.Writers;
import org.onesided.tools.load.workload.InsertedItems;
import org.onesided.tools.load.workload.ItemChooser;
import org.onesided.tools.load.workload.Workload;

/**
 * Threads of this process with one store. For one thread.
 */
final class LocalClient implements Clients
{
    private final RunPlan plan;
    private final Workload workload;
    private final StoreAccess store;
    private final int client;
    private final Writers writers;
    private final ValueVerifier[] verifiers;
    private final InsertedItems items;
    private final SplittableRandom random;
    private boolean isLoaded;
    private Boolean isVerified;
    private String unverified;

    /**
     * @param plan   to carry out.
     * @param store  under load; closed with this.
     * @param client number of this client in the plan, from 0.
     */
    LocalClient(final RunPlan plan, final StoreAccess store, final int client)
    {
        this.plan = plan;
        this.store = store;
        this.client = client;
        workload = plan.workload();
        random = new SplittableRandom(plan.seed() + client);
        // Independent of the seed, because no two runs may share it.
        writers = new Writers(new SplittableRandom().nextLong(), plan.threads());
        verifiers = new ValueVerifier[plan.threads()];
        items = new InsertedItems(workload.records());
    }

    @Override
    public StoreFacts facts()
    {
        return store.facts();
    }

    @Override
    public PhaseEnd run(final RunPlan.Phases phase, final PhaseListener listener)
    {
        final boolean isLoad = phase == RunPlan.Phases.LOAD;
        if (!isLoad || isVerified == null)
        {
            isVerified = decideVerification(isLoad);
        }
        final LocalPhase local = new LocalPhase(store, plan.threads(), isLoad ? 0 : plan.warmUpNs(),
            isLoad || plan.durationNs() == 0 ? PhaseClock.NEVER : plan.durationNs(), !isLoad && plan.target() > 0);
        final PhaseEnd end = local.run(isLoad ? loadWork() : mixWork(), listener, isVerified);
        isLoaded |= isLoad;
        return isLoad || unverified == null ? end : end.with(end.ending(), List.of(unverified));
    }

    @Override
    public void close()
    {
        store.close();
    }

    private LocalPhase.Work loadWork()
    {
        final long clientFirst = workload.insertStart() + share(workload.insertCount(), plan.clients(), client);
        final long clientEnd = workload.insertStart() + share(workload.insertCount(), plan.clients(), client + 1);
        final long count = clientEnd - clientFirst;
        return (thread, session, clock, recorder, failure) ->
        {
            final Task task = new LoadTask(
                operations(thread, session, clock, recorder),
                recorder,
                failure,
                clientFirst + share(count, plan.threads(), thread),
                clientFirst + share(count, plan.threads(), thread + 1));
            return new Worker(clock, task, recorder, null, Long.MAX_VALUE);
        };
    }

    private LocalPhase.Work mixWork()
    {
        final Supplier<ItemChooser> choosers = workload.choosers(items);
        final long first = workload.insertStart();
        // Put by all clients together, so none may work on them before all were put.
        final long known = isLoaded ? workload.insertCount() : 0;
        final ItemNumbers numbers =
            new ItemNumbers(workload.records(), client, plan.clients(), first, first + known);
        final int threads = plan.threads() * plan.clients();
        final List<SplittableRandom> randoms = new ArrayList<>();
        for (int i = 0; i < plan.threads(); i++)
        {
            randoms.add(random.split());
        }
        return (thread, session, clock, recorder, failure) ->
        {
            final int ofAll = client * plan.threads() + thread;
            final Operations operations = operations(thread, session, clock, recorder);
            final Task task = new MixTask(
                operations,
                recorder,
                new ReadModifyWrites(workload.readModifyWrite(), operations, recorder, clock),
                workload.mix(),
                choosers.get(),
                numbers,
                items,
                randoms.get(thread));
            final Pace pace = plan.target() > 0 ? new Pace(plan.target(), threads, ofAll) : null;
            return new Worker(clock, task, recorder, pace, limit(threads, ofAll));
        };
    }

    /** Number of operations of a thread. */
    private long limit(final int threads, final int ofAll)
    {
        return workload.operations() == 0 ? Long.MAX_VALUE :
            share(workload.operations(), threads, ofAll + 1) - share(workload.operations(), threads, ofAll);
    }

    /** Begin of a part when a number is divided as evenly as possible. */
    private static long share(final long count, final int parts, final int part)
    {
        return count / parts * part + Math.min(part, count % parts);
    }

    private Operations operations(
        final int thread, final StoreAccess.Session session, final PhaseClock clock, final ThreadRecorder recorder)
    {
        if (isVerified && verifiers[thread] == null)
        {
            verifiers[thread] = new ValueVerifier(writers, thread, workload.records());
        }
        return new Operations(session, clock, recorder, workload.keyNames(), workload.valueLength(), writers, thread,
            isVerified ? verifiers[thread] : null,
            LivePuts.of(workload.ttlMs() == 0 ? store.defaultTtlMs() : workload.ttlMs(), store.evicts()));
    }

    private boolean decideVerification(final boolean isLoad)
    {
        if (plan.verification() != RunPlan.Verify.AUTO)
        {
            return plan.verification() == RunPlan.Verify.ON;
        }
        if (workload.valueLength() < ValueCodec.MIN_LENGTH)
        {
            unverified = "values below " + ValueCodec.MIN_LENGTH + " bytes cannot be verified: length=" +
                workload.valueLength();
            return false;
        }
        if (isLoad || isLoaded)
        {
            return true;
        }
        final VerificationProbe probe = new VerificationProbe(workload, store);
        unverified = probe.isOwn() ? null : probe.reason();
        return probe.isOwn();
    }
}
