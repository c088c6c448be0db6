package org.onesided.model;

import java.util.function.Consumer;

/**
 * Searches all states of the model of writes that are sent again.
 */
final class ResendSearch implements Exploration.Model<ResendWorld>
{
    private final ResendBounds bounds;
    private final ResendServers servers;
    private final ResendClients clients;
    private final Exploration<ResendWorld> exploration = new Exploration<>(this);

    /**
     * @param flaw   of client or server; null for none.
     * @param bounds of the search.
     */
    ResendSearch(final ResendFlaw flaw, final ResendBounds bounds)
    {
        this.bounds = bounds;
        servers = new ResendServers(flaw, bounds);
        clients = new ResendClients(flaw, bounds);
    }

    int states()
    {
        return exploration.states();
    }

    /** The steps after which a write has not done what its client was told; null if there are none. */
    String violation()
    {
        return exploration.violation(ResendWorld.start(bounds));
    }

    @Override
    public byte[] bytes(final ResendWorld world)
    {
        return world.canonical();
    }

    @Override
    public void step(final ResendWorld world, final Consumer<ResendWorld> next)
    {
        servers.step(world, next);
        clients.step(world, next);
    }

    @Override
    public boolean isWrong(final ResendWorld world)
    {
        return world.isWrong();
    }

    @Override
    public boolean isOver(final ResendWorld world)
    {
        return false;
    }
}
