package org.onesided.model;

import java.util.function.Consumer;

/**
 * What clients do: they ask for leases, and look the register up, each by one READ.
 */
final class LeaseClients
{
    private final LeaseFlaw flaw;
    private final LeaseRelaxation relaxation;
    private final LeaseBounds bounds;

    LeaseClients(final LeaseFlaw flaw, final LeaseRelaxation relaxation, final LeaseBounds bounds)
    {
        this.flaw = flaw;
        this.relaxation = relaxation;
        this.bounds = bounds;
    }

    /** Tells all states that a step of a client can lead to. */
    void step(final LeaseWorld world, final Consumer<LeaseWorld> next)
    {
        for (int i = 0; i < world.clients(); i++)
        {
            for (int server = 0; server < Replicas.COUNT; server++)
            {
                request(world, i, server, next);
                if (bounds.isSlow())
                {
                    begin(world, i, server, next);
                }
            }
            if (world.get(i, LeaseWorld.REQUEST) == LeaseWorld.GRANTED)
            {
                arrive(world, i, next);
            }
            if (world.get(i, LeaseWorld.LOOKUP) == LeaseWorld.POSTED)
            {
                fetch(world, i, next);
            }
            if (world.get(i, LeaseWorld.LOOKUP) == LeaseWorld.FETCHED && isCounted(world, i))
            {
                next.accept(complete(world.copy(), i));
            }
        }
    }


    /** Where nothing is slow, grants arrive and lookups are done as soon as they can. */
    LeaseWorld settle(final LeaseWorld world)
    {
        for (int i = 0; i < world.clients() && !bounds.isSlow(); i++)
        {
            if (world.get(i, LeaseWorld.REQUEST) == LeaseWorld.GRANTED)
            {
                take(world, i);
            }
            if (world.get(i, LeaseWorld.LEASE) != 0)
            {
                final int version = world.version(world.get(i, LeaseWorld.LEASE_SERVER));
                if (version < world.observed())
                {
                    world.wrong();
                }
                world.observe(version);
            }
        }
        return world;
    }

    /** The clients' clocks go on. What brings no lease any more, and a lease that is over, are forgotten. */
    void tick(final LeaseWorld world)
    {
        for (int i = 0; i < world.clients(); i++)
        {
            if (world.get(i, LeaseWorld.REQUEST) != LeaseWorld.NO_REQUEST)
            {
                final int age = world.get(i, LeaseWorld.REQUEST_AGE) + 1;
                world.set(i, LeaseWorld.REQUEST_AGE, Math.min(age, bounds.waitTicks()));
                if (age >= bounds.waitTicks() && flaw != LeaseFlaw.COUNTED_FROM_ARRIVAL &&
                    flaw != LeaseFlaw.GRANT_OF_EARLIER_REQUEST)
                {
                    world.clearRequest(i);
                }
            }
            if (world.get(i, LeaseWorld.LEASE) != 0)
            {
                final int age = world.get(i, LeaseWorld.LEASE_AGE) + 1;
                world.set(i, LeaseWorld.LEASE_AGE, age);
                if (age >= bounds.waitTicks())
                {
                    world.clearLease(i);
                }
            }
        }
    }

    /** Only one who believes that it leads takes a request. A client may give up an earlier one. */
    private void request(final LeaseWorld world, final int client, final int server, final Consumer<LeaseWorld> next)
    {
        final boolean isNewer = world.get(client, LeaseWorld.REQUEST) == LeaseWorld.NO_REQUEST ||
            world.get(client, LeaseWorld.REQUEST_AGE) > 0 || world.get(client, LeaseWorld.REQUEST_SERVER) != server;
        if (isNewer && world.isLeader(server) && (world.own(server, LeaseWorld.HAS_RELEASED) == 0 ||
            flaw == LeaseFlaw.GRANTED_AFTER_RELEASE_BY_OLDER_PROOF ||
            relaxation == LeaseRelaxation.GRANT_AFTER_RELEASE))
        {
            final LeaseWorld asked = world.copy();
            asked.clearRequest(client);
            asked.set(client, LeaseWorld.REQUEST, LeaseWorld.ARRIVED);
            asked.set(client, LeaseWorld.REQUEST_SERVER, server);
            asked.set(client, LeaseWorld.REQUEST_PROOF,
                flaw == LeaseFlaw.PROOF_BEFORE_REQUEST ? world.applied(server) : world.logged(server));
            next.accept(asked);
        }
        if (flaw == LeaseFlaw.GRANT_OF_EARLIER_REQUEST &&
            world.get(client, LeaseWorld.REQUEST) == LeaseWorld.GRANTED)
        {
            final LeaseWorld asked = world.copy();
            asked.set(client, LeaseWorld.REQUEST_AGE, 0);
            next.accept(asked);
        }
    }

    private void arrive(final LeaseWorld world, final int client, final Consumer<LeaseWorld> next)
    {
        final LeaseWorld taken = world.copy();
        take(taken, client);
        next.accept(taken);
        for (int i = 0; i < Replicas.COUNT && flaw == LeaseFlaw.GRANT_OF_OLDER_TERM; i++)
        {
            if (world.isLeader(i) && world.term(i) > world.get(client, LeaseWorld.REQUEST_TERM))
            {
                final LeaseWorld mistaken = world.copy();
                mistaken.set(client, LeaseWorld.REQUEST_SERVER, i);
                mistaken.set(client, LeaseWorld.REQUEST_TERM, world.term(i));
                take(mistaken, client);
                next.accept(mistaken);
            }
        }
    }

    /** The grant arrives. It is not believed if the client has a lease of a later term. */
    private void take(final LeaseWorld world, final int client)
    {
        final int server = world.get(client, LeaseWorld.REQUEST_SERVER);
        final int term = world.get(client, LeaseWorld.REQUEST_TERM);
        final int age = flaw == LeaseFlaw.COUNTED_FROM_ARRIVAL ? 0 : world.get(client, LeaseWorld.REQUEST_AGE);
        final boolean isHeld = world.get(client, LeaseWorld.LEASE) != 0;
        final boolean isRenewal = isHeld && world.get(client, LeaseWorld.LEASE_SERVER) == server &&
            world.get(client, LeaseWorld.LEASE_TERM) == term;
        world.clearRequest(client);
        if (!isHeld || term >= world.get(client, LeaseWorld.LEASE_TERM))
        {
            world.set(client, LeaseWorld.LEASE_AGE,
                isRenewal ? Math.min(age, world.get(client, LeaseWorld.LEASE_AGE)) : age);
            world.set(client, LeaseWorld.LEASE, 1);
            world.set(client, LeaseWorld.LEASE_SERVER, server);
            world.set(client, LeaseWorld.LEASE_TERM, term);
        }
    }

    private boolean isHeldFor(final LeaseWorld world, final int client, final int server)
    {
        return world.get(client, LeaseWorld.LEASE) != 0 &&
            (world.get(client, LeaseWorld.LEASE_SERVER) == server || flaw == LeaseFlaw.LEASE_OF_OTHER_MEMORY);
    }

    /** Posts the READ. A lookup that did not count begins again. */
    private void begin(final LeaseWorld world, final int client, final int server, final Consumer<LeaseWorld> next)
    {
        final boolean isHeld = isHeldFor(world, client, server);
        final boolean needsNone = flaw == LeaseFlaw.LEASE_IGNORED || flaw == LeaseFlaw.POSTED_WITHOUT_LEASE;
        if (isHeld || needsNone)
        {
            final LeaseWorld begun = world.copy();
            begun.clearLookup(client);
            begun.set(client, LeaseWorld.LOOKUP, LeaseWorld.POSTED);
            begun.set(client, LeaseWorld.LOOKUP_SERVER, server);
            begun.set(client, LeaseWorld.LOOKUP_TERM, needsNone ? 0 : world.get(client, LeaseWorld.LEASE_TERM));
            begun.set(client, LeaseWorld.LOOKUP_LEAST, world.observed());
            next.accept(begun);
        }
    }

    /** The READ fetches the register. What tells nobody anything new is forgotten. */
    private static void fetch(final LeaseWorld world, final int client, final Consumer<LeaseWorld> next)
    {
        final int version = world.version(world.get(client, LeaseWorld.LOOKUP_SERVER));
        final LeaseWorld fetched = world.copy();
        if (version >= world.get(client, LeaseWorld.LOOKUP_LEAST) && version <= world.observed())
        {
            fetched.clearLookup(client);
        }
        else
        {
            fetched.set(client, LeaseWorld.LOOKUP, LeaseWorld.FETCHED);
            fetched.set(client, LeaseWorld.LOOKUP_VERSION, version);
        }
        next.accept(fetched);
    }

    private boolean isCounted(final LeaseWorld world, final int client)
    {
        final boolean isHeld = isHeldFor(world, client, world.get(client, LeaseWorld.LOOKUP_SERVER));
        final boolean isSameTerm =
            world.get(client, LeaseWorld.LEASE_TERM) == world.get(client, LeaseWorld.LOOKUP_TERM);
        return flaw == LeaseFlaw.LEASE_IGNORED || flaw == LeaseFlaw.CLOCK_BEFORE_COMPLETION || isHeld &&
            (isSameTerm || flaw == LeaseFlaw.POSTED_WITHOUT_LEASE || relaxation == LeaseRelaxation.LEASE_OF_LATER_TERM);
    }

    private static LeaseWorld complete(final LeaseWorld world, final int client)
    {
        if (world.get(client, LeaseWorld.LOOKUP_VERSION) < world.get(client, LeaseWorld.LOOKUP_LEAST))
        {
            world.wrong();
        }
        world.observe(world.get(client, LeaseWorld.LOOKUP_VERSION));
        world.clearLookup(client);
        return world;
    }
}
