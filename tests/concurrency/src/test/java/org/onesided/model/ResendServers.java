package org.onesided.model;

import java.util.function.Consumer;

/**
 * What replicas do: they elect a leader, log requests, take them into the table and the sessions' windows, are killed
 * and come again.
 */
final class ResendServers
{
    private final ResendFlaw flaw;
    private final ResendBounds bounds;
    /** Whether an entry that was sent before its session was resumed has no effect. */
    private final boolean areAttemptsCompared;

    ResendServers(final ResendFlaw flaw, final ResendBounds bounds)
    {
        this.flaw = flaw;
        this.bounds = bounds;
        areAttemptsCompared = flaw != ResendFlaw.QUEUE_NOT_DRAINED && flaw != ResendFlaw.QUEUE_DRAINED_ON_ONE_SERVER &&
            !bounds.isQueueDropped();
    }

    /** Tells all states that a step of a replica can lead to. */
    void step(final ResendWorld world, final Consumer<ResendWorld> next)
    {
        for (int i = 0; i < Replicas.COUNT; i++)
        {
            for (int j = 0; j < Replicas.COUNT; j++)
            {
                meet(world, i, j, next);
            }
            if (world.isLeader(i) && world.logged(i) < bounds.entries())
            {
                log(world, i, next);
            }
            restart(world, i, next);
        }
    }

    private void meet(final ResendWorld world, final int i, final int j, final Consumer<ResendWorld> next)
    {
        if (world.canReplicate(i, j))
        {
            final ResendWorld replicated = world.copy();
            replicated.replicate(i, j);
            replicated.forgetApplied(j);
            final boolean isLoaded = flaw == ResendFlaw.WINDOW_NOT_IN_SNAPSHOT && replicated.applied(i) == 0 &&
                replicated.term(i) > 1;
            apply(replicated, i);
            if (isLoaded)
            {
                final ResendWorld loaded = replicated.copy();
                loaded.forgetWindows(i);
                next.accept(loaded);
            }
            next.accept(replicated);
        }
        if (i != j && world.newestTerm() < bounds.terms() && world.logged(i) < bounds.entries() && world.canElect(i, j))
        {
            final ResendWorld elected = world.copy();
            elected.elect(i, j);
            next.accept(elected);
        }
    }

    /** Logs a request of the queue. Whether it is known is decided when it is applied. */
    private void log(final ResendWorld world, final int leader, final Consumer<ResendWorld> next)
    {
        for (int queue = world.queue(leader); queue != 0; queue &= queue - 1)
        {
            final int request = Integer.numberOfTrailingZeros(queue);
            final ResendWorld logged = world.copy();
            logged.queue(leader, world.queue(leader) & ~(1 << request));
            if (flaw != ResendFlaw.WINDOW_NOT_REPLICATED || !isOwn(world, leader, request))
            {
                logged.propose(leader, ResendWorld.REQUEST + request);
                if (flaw == ResendFlaw.ANSWERED_BEFORE_COMMIT)
                {
                    logged.answer(ResendWorld.clientOf(request), ResendWorld.writeOf(request), ResendWorld.UNKNOWN);
                }
            }
            next.accept(logged);
        }
    }

    /** Whether the leader itself has logged the same write. */
    private static boolean isOwn(final ResendWorld world, final int leader, final int request)
    {
        boolean isOwn = false;
        for (int i = 0; i < world.logged(leader); i++)
        {
            final int kind = world.kind(leader, i) - ResendWorld.REQUEST;
            isOwn |= world.termOf(leader, i) == world.term(leader) && kind >= 0 &&
                kind / ResendWorld.ATTEMPTS == request / ResendWorld.ATTEMPTS;
        }
        return isOwn;
    }

    /** Takes what is committed into the table. */
    private void apply(final ResendWorld world, final int replica)
    {
        while (world.applied(replica) < world.committed(replica))
        {
            final int kind = world.kind(replica, world.applied(replica));
            world.applyNext(replica);
            if (kind >= ResendWorld.REQUEST)
            {
                execute(world, replica, kind - ResendWorld.REQUEST);
            }
            else if (kind >= ResendWorld.RESUME)
            {
                world.window(replica, kind - ResendWorld.RESUME, ResendWorld.ATTEMPT, 1);
            }
        }
        judge(world, replica);
    }

    private void execute(final ResendWorld world, final int replica, final int request)
    {
        final int client = ResendWorld.clientOf(request);
        final int write = ResendWorld.writeOf(request);
        final int session = flaw == ResendFlaw.WINDOW_OF_ANOTHER_SESSION ? 0 : client;
        final int number = flaw == ResendFlaw.NUMBER_REUSED ? 1 : write + 1;
        final int last = world.window(replica, session, ResendWorld.NUMBER);
        final boolean isNew = number > last || number < last && flaw == ResendFlaw.NUMBER_BEHIND_WINDOW_EXECUTED;
        final boolean isOld = areAttemptsCompared &&
            ResendWorld.attemptOf(request) < world.window(replica, session, ResendWorld.ATTEMPT);
        if (flaw == ResendFlaw.WINDOW_NOT_REPLICATED || isNew && !isOld)
        {
            final int answer = world.execute(replica, client, write);
            world.window(replica, session, ResendWorld.NUMBER, number);
            world.window(replica, session, ResendWorld.ANSWER, answer);
            if (world.times(replica, client, write) > 1 || world.isNotDone(client, write) ||
                world.answer(client, write) > 0 && world.answer(client, write) != answer)
            {
                world.wrong();
            }
        }
    }

    /** A leader whose own term's entries are committed and applied must have each write that was answered. */
    private static void judge(final ResendWorld world, final int leader)
    {
        if (world.term(leader) == world.newestTerm())
        {
            for (int i = 0; i < ResendBounds.CLIENTS * ResendWorld.WRITES; i++)
            {
                final int client = i / ResendWorld.WRITES;
                final int write = i % ResendWorld.WRITES;
                if (world.answer(client, write) != 0 && world.times(leader, client, write) != 1)
                {
                    world.wrong();
                }
            }
        }
    }

    private static void restart(final ResendWorld world, final int replica, final Consumer<ResendWorld> next)
    {
        final ResendWorld restarted = world.copy();
        if (restarted.takeRestart())
        {
            restarted.restart(replica);
            restarted.queue(replica, 0);
            next.accept(restarted);
        }
    }
}
