package org.onesided.model;

import java.util.function.Consumer;

/**
 * Searches all states of the model of leases.
 */
final class LeaseSearch implements Exploration.Model<LeaseWorld>
{
    private final LeaseBounds bounds;
    private final LeaseServers servers;
    private final LeaseClients clients;
    private final Exploration<LeaseWorld> exploration = new Exploration<>(this);

    /**
     * @param flaw       of client or leader; null for none.
     * @param relaxation of the rules; null for none.
     * @param bounds     of the search.
     */
    LeaseSearch(final LeaseFlaw flaw, final LeaseRelaxation relaxation, final LeaseBounds bounds)
    {
        this.bounds = bounds;
        servers = new LeaseServers(flaw, relaxation, bounds);
        clients = new LeaseClients(flaw, relaxation, bounds);
    }

    int states()
    {
        return exploration.states();
    }

    /** The steps that lead to a lookup that returns what is not so; null if there are none. */
    String violation()
    {
        return exploration.violation(LeaseWorld.start(bounds));
    }

    @Override
    public byte[] bytes(final LeaseWorld world)
    {
        return world.canonical();
    }

    @Override
    public void step(final LeaseWorld world, final Consumer<LeaseWorld> next)
    {
        final Consumer<LeaseWorld> settled = changed -> next.accept(settle(changed));
        // Steps that are told first are gone into last: errors show sooner if time passes last.
        final LeaseWorld later = world.copy();
        servers.tick(later);
        clients.tick(later);
        settled.accept(later);
        servers.step(world, settled);
        clients.step(world, settled);
    }

    private LeaseWorld settle(final LeaseWorld world)
    {
        return servers.settle(clients.settle(world));
    }

    @Override
    public boolean isWrong(final LeaseWorld world)
    {
        return world.isWrong();
    }

    @Override
    public boolean isOver(final LeaseWorld world)
    {
        return false;
    }
}
