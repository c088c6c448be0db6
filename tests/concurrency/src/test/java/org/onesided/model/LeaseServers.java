package org.onesided.model;

import java.util.function.Consumer;

/**
 * What replicas do: they elect a leader, log and apply entries, grant leases, hand over, are killed and come again.
 */
final class LeaseServers
{
    private final LeaseFlaw flaw;
    private final LeaseRelaxation relaxation;
    private final LeaseBounds bounds;
    /** Whether a leader may count a proof that it logged while it waited. */
    private final boolean isProofEarly;

    LeaseServers(final LeaseFlaw flaw, final LeaseRelaxation relaxation, final LeaseBounds bounds)
    {
        this.flaw = flaw;
        this.relaxation = relaxation;
        this.bounds = bounds;
        isProofEarly = flaw == LeaseFlaw.PROOF_WHILE_WAITING ||
            relaxation == LeaseRelaxation.PROOF_WHILE_WAITING_AND_NO_WRITES;
    }

    /** Tells all states that a step of a replica can lead to. */
    void step(final LeaseWorld world, final Consumer<LeaseWorld> next)
    {
        for (int i = 0; i < Replicas.COUNT; i++)
        {
            if (world.applied(i) < world.committed(i))
            {
                final LeaseWorld applied = world.copy();
                do
                {
                    applied.applyNext(i);
                }
                while (!applied.isLeader(i) && applied.applied(i) < applied.committed(i));
                next.accept(answer(applied, i));
            }
            for (int j = 0; j < Replicas.COUNT; j++)
            {
                meet(world, i, j, next);
            }
            if (world.isLeader(i))
            {
                propose(world, i, next);
                grant(world, i, next);
            }
            if (world.isLeft(LeaseWorld.RESTARTS_LEFT))
            {
                next.accept(restart(world.copy().take(LeaseWorld.RESTARTS_LEFT), i));
            }
        }
    }

    /**
     * What a follower has applied matters only while a client may READ it: the less, the older is what it shows when it
     * leads, and then it may apply all the same.
     */
    LeaseWorld settle(final LeaseWorld world)
    {
        for (int i = 0; i < Replicas.COUNT && flaw != LeaseFlaw.FOLLOWER_ANSWERS; i++)
        {
            if (!world.isLeader(i) && !world.isRead(i))
            {
                world.forgetApplied(i);
            }
        }
        return world;
    }

    /** The clocks of waiting leaders go on. */
    void tick(final LeaseWorld world)
    {
        for (int i = 0; i < Replicas.COUNT; i++)
        {
            world.own(i, LeaseWorld.UNTIL_RELEASE, Math.max(0, world.own(i, LeaseWorld.UNTIL_RELEASE) - 1));
            final int wait = world.own(i, LeaseWorld.WAIT);
            if (wait > 0)
            {
                world.own(i, LeaseWorld.WAIT, wait - 1);
                if (wait == 1 && !isProofEarly)
                {
                    askForLaterProof(world, i);
                }
                answer(world, i);
            }
        }
    }

    private void meet(final LeaseWorld world, final int i, final int j, final Consumer<LeaseWorld> next)
    {
        if (world.canReplicate(i, j))
        {
            final LeaseWorld replicated = world.copy();
            replicated.replicate(i, j);
            next.accept(replicated);
        }
        if (i != j && world.newestTerm() < bounds.terms() && world.canElect(i, j) && world.logged(i) < bounds.entries())
        {
            final LeaseWorld elected = world.copy();
            final boolean isReleased = isReleased(world, i);
            elected.elect(i, j);
            if (!isReleased && flaw != LeaseFlaw.NO_WAIT)
            {
                elected.own(i, LeaseWorld.WAIT, bounds.waitTicks() - (flaw == LeaseFlaw.WAIT_TOO_SHORT ? 1 : 0));
            }
            next.accept(answer(elected, i));
        }
    }

    /** Whether the log tells a new leader that no lease runs. */
    private boolean isReleased(final LeaseWorld world, final int replica)
    {
        final int last = world.logged(replica) - 1;
        boolean isReleased = last >= 0 && world.kind(replica, last) == LeaseWorld.RELEASE;
        for (int i = 0; i < last && flaw == LeaseFlaw.SKIPPED_BY_OLDER_RELEASE; i++)
        {
            isReleased |= world.kind(replica, i) == LeaseWorld.RELEASE;
        }
        return isReleased;
    }

    private void propose(final LeaseWorld world, final int leader, final Consumer<LeaseWorld> next)
    {
        if (world.logged(leader) == bounds.entries())
        {
            return;
        }
        if (world.isLeft(LeaseWorld.WRITES_LEFT) && (world.own(leader, LeaseWorld.WAIT) == 0 ||
            relaxation != LeaseRelaxation.PROOF_WHILE_WAITING_AND_NO_WRITES))
        {
            next.accept(proposed(world, leader, LeaseWorld.WRITE).take(LeaseWorld.WRITES_LEFT));
        }
        if (isProofMissing(world, leader))
        {
            next.accept(proposed(world, leader, LeaseWorld.EMPTY));
        }
        if (world.isLeft(LeaseWorld.RELEASES_LEFT) && canRelease(world, leader))
        {
            final LeaseWorld released =
                proposed(world, leader, LeaseWorld.RELEASE).take(LeaseWorld.RELEASES_LEFT);
            released.own(leader, LeaseWorld.HAS_RELEASED, 1);
            if (flaw != LeaseFlaw.GRANTED_AFTER_RELEASE_BY_OLDER_PROOF)
            {
                askForLaterProof(released, leader);
            }
            next.accept(released);
        }
    }

    private static LeaseWorld proposed(final LeaseWorld world, final int leader, final int kind)
    {
        final LeaseWorld proposed = world.copy();
        proposed.propose(leader, kind);
        return proposed;
    }

    private boolean canRelease(final LeaseWorld world, final int leader)
    {
        return world.own(leader, LeaseWorld.HAS_RELEASED) == 0 &&
            (world.own(leader, LeaseWorld.UNTIL_RELEASE) == 0 || flaw == LeaseFlaw.RELEASED_WHILE_LEASES_RUN) &&
            (world.own(leader, LeaseWorld.WAIT) == 0 || flaw == LeaseFlaw.RELEASED_WHILE_WAITING);
    }

    /** Whether a request waits for an entry that nobody has logged. */
    private boolean isProofMissing(final LeaseWorld world, final int leader)
    {
        final boolean isInTime =
            world.own(leader, LeaseWorld.WAIT) == 0 || isProofEarly || flaw == LeaseFlaw.GRANTED_WHILE_WAITING;
        boolean isMissing = false;
        for (int i = 0; i < world.clients() && isInTime; i++)
        {
            isMissing |= isWaiting(world, i, leader) && !isDeposed(world, leader) &&
                world.get(i, LeaseWorld.REQUEST_PROOF) == world.logged(leader);
        }
        return isMissing;
    }

    /** Whether both others follow a newer leader, so that nothing is committed any more. */
    private static boolean isDeposed(final LeaseWorld world, final int leader)
    {
        int newer = 0;
        for (int i = 0; i < Replicas.COUNT; i++)
        {
            newer += world.term(i) > world.term(leader) ? 1 : 0;
        }
        return newer == Replicas.COUNT - 1;
    }

    /** What is logged so far proves nothing to requests that have come so far. */
    private static void askForLaterProof(final LeaseWorld world, final int leader)
    {
        for (int i = 0; i < world.clients(); i++)
        {
            if (isWaiting(world, i, leader))
            {
                world.set(i, LeaseWorld.REQUEST_PROOF, world.logged(leader));
            }
        }
    }

    private static boolean isWaiting(final LeaseWorld world, final int client, final int leader)
    {
        return world.get(client, LeaseWorld.REQUEST) == LeaseWorld.ARRIVED &&
            world.get(client, LeaseWorld.REQUEST_SERVER) == leader;
    }

    private void grant(final LeaseWorld world, final int leader, final Consumer<LeaseWorld> next)
    {
        final boolean mayGrant = (world.own(leader, LeaseWorld.WAIT) == 0 || flaw == LeaseFlaw.GRANTED_WHILE_WAITING) &&
            (world.own(leader, LeaseWorld.HAS_RELEASED) == 0 ||
                flaw == LeaseFlaw.GRANTED_AFTER_RELEASE_BY_OLDER_PROOF ||
                relaxation == LeaseRelaxation.GRANT_AFTER_RELEASE);
        for (int i = 0; i < world.clients() && mayGrant; i++)
        {
            if (isWaiting(world, i, leader) && isProven(world, i, leader))
            {
                final LeaseWorld granted = world.copy();
                granted.set(i, LeaseWorld.REQUEST, LeaseWorld.GRANTED);
                granted.set(i, LeaseWorld.REQUEST_TERM, world.term(leader));
                granted.set(i, LeaseWorld.REQUEST_PROOF, 0);
                if (bounds.releases() > 0)
                {
                    granted.own(leader, LeaseWorld.UNTIL_RELEASE, bounds.waitTicks());
                }
                next.accept(granted);
            }
        }
    }

    private boolean isProven(final LeaseWorld world, final int client, final int leader)
    {
        if (flaw == LeaseFlaw.NO_PROOF)
        {
            return true;
        }
        final int applied = world.applied(leader);
        if (flaw == LeaseFlaw.CACHED_PROOF)
        {
            return world.termOf(leader, applied - 1) == world.term(leader);
        }
        final int proven = flaw == LeaseFlaw.GRANTED_BEFORE_APPLIED ? world.committed(leader) : applied;
        return proven > world.get(client, LeaseWorld.REQUEST_PROOF);
    }

    /** Answers writes that a replica has applied, if it may. */
    private LeaseWorld answer(final LeaseWorld world, final int replica)
    {
        final boolean mayAnswer = world.isLeader(replica) ?
            world.own(replica, LeaseWorld.WAIT) == 0 || flaw == LeaseFlaw.ANSWERED_WHILE_WAITING :
            flaw == LeaseFlaw.FOLLOWER_ANSWERS;
        if (mayAnswer)
        {
            world.observe(world.version(replica));
        }
        return world;
    }

    /** What was sent to the former life, and what goes to its memory, fails. */
    private LeaseWorld restart(final LeaseWorld world, final int replica)
    {
        world.restart(replica);
        for (int i = 0; i < world.clients(); i++)
        {
            if (world.get(i, LeaseWorld.REQUEST) == LeaseWorld.GRANTED && flaw != LeaseFlaw.GRANT_OF_OLDER_LIFE &&
                world.get(i, LeaseWorld.REQUEST_SERVER) == replica)
            {
                world.clearRequest(i);
            }
            if (world.get(i, LeaseWorld.LEASE) != 0 && world.get(i, LeaseWorld.LEASE_SERVER) == replica)
            {
                world.clearLease(i);
            }
            if (world.get(i, LeaseWorld.LOOKUP) != LeaseWorld.NO_LOOKUP &&
                world.get(i, LeaseWorld.LOOKUP_SERVER) == replica)
            {
                world.clearLookup(i);
            }
        }
        return world;
    }
}
