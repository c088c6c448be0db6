package org.onesided.model;

import java.util.function.Consumer;

/**
 * What clients do: they send a write, send it again, resume their session, and take answers.
 */
final class ResendClients
{
    private final ResendFlaw flaw;
    private final ResendBounds bounds;

    ResendClients(final ResendFlaw flaw, final ResendBounds bounds)
    {
        this.flaw = flaw;
        this.bounds = bounds;
    }

    /** Tells all states that a step of a client can lead to. */
    void step(final ResendWorld world, final Consumer<ResendWorld> next)
    {
        for (int i = 0; i < ResendBounds.CLIENTS; i++)
        {
            final int write = world.get(i, ResendWorld.WRITE);
            if (write < bounds.writes(i) && world.answer(i, write) == ResendWorld.UNKNOWN)
            {
                goOn(world, i, next);
            }
            for (int server = 0; server < Replicas.COUNT; server++)
            {
                if (world.isLeader(server))
                {
                    meet(world, i, server, next);
                }
            }
            if (flaw == ResendFlaw.NUMBER_REUSED && write + 1 < bounds.writes(i))
            {
                goOn(world, i, next);
            }
        }
    }

    private void meet(final ResendWorld world, final int client, final int server, final Consumer<ResendWorld> next)
    {
        final int write = world.get(client, ResendWorld.WRITE);
        if (world.get(client, ResendWorld.IS_RESUMING) != 0)
        {
            resume(world, client, server, next);
        }
        else if (write < bounds.writes(client))
        {
            send(world, client, server, next);
            answer(world, client, server, next);
            if (bounds.canResume() && world.get(client, ResendWorld.TRY) == 0)
            {
                final ResendWorld resuming = world.copy();
                resuming.set(client, ResendWorld.TRY, 1);
                resuming.set(client, ResendWorld.IS_RESUMING, 1);
                next.accept(resuming);
            }
        }
    }

    /** Sends the write, to whoever believes that it leads, and however often. */
    private static void send(
        final ResendWorld world, final int client, final int server, final Consumer<ResendWorld> next)
    {
        final int request = ResendWorld.request(
            client, world.get(client, ResendWorld.WRITE), world.get(client, ResendWorld.TRY));
        final ResendWorld sent = world.copy();
        sent.queue(server, world.queue(server) | 1 << request);
        next.accept(sent);
    }

    /** Takes an answer from a window. */
    private void answer(final ResendWorld world, final int client, final int server, final Consumer<ResendWorld> next)
    {
        if (isDone(world, client, server))
        {
            final ResendWorld answered = world.copy();
            accept(answered, client, server);
            next.accept(answered);
        }
    }

    private boolean isDone(final ResendWorld world, final int client, final int server)
    {
        final int session = flaw == ResendFlaw.WINDOW_OF_ANOTHER_SESSION ? 0 : client;
        final int number = flaw == ResendFlaw.NUMBER_REUSED ? 1 : world.get(client, ResendWorld.WRITE) + 1;
        return world.window(server, session, ResendWorld.NUMBER) == number;
    }

    private void accept(final ResendWorld world, final int client, final int server)
    {
        final int session = flaw == ResendFlaw.WINDOW_OF_ANOTHER_SESSION ? 0 : client;
        final int write = world.get(client, ResendWorld.WRITE);
        world.answer(client, write, world.window(server, session, ResendWorld.ANSWER));
        if (world.times(server, client, write) != 1)
        {
            world.wrong();
        }
        world.set(client, ResendWorld.WRITE, write + 1);
    }

    private static void goOn(final ResendWorld world, final int client, final Consumer<ResendWorld> next)
    {
        final ResendWorld gone = world.copy();
        gone.set(client, ResendWorld.WRITE, world.get(client, ResendWorld.WRITE) + 1);
        next.accept(gone);
    }

    /** A leader logs that a session is resumed, and tells what became of its requests when it has applied that. */
    private void resume(final ResendWorld world, final int client, final int server, final Consumer<ResendWorld> next)
    {
        if (world.window(server, client, ResendWorld.ATTEMPT) == 0)
        {
            if (world.logged(server) < bounds.entries() && !isResumeLogged(world, client, server))
            {
                final ResendWorld logged = world.copy();
                drain(logged, client, server);
                logged.propose(server, ResendWorld.RESUME + client);
                next.accept(logged);
            }
            return;
        }
        final ResendWorld resumed = world.copy();
        resumed.set(client, ResendWorld.IS_RESUMING, 0);
        if (isDone(world, client, server))
        {
            accept(resumed, client, server);
        }
        else
        {
            final int write = world.get(client, ResendWorld.WRITE);
            final ResendWorld givenUp = resumed.copy();
            givenUp.notDone(client, write);
            givenUp.set(client, ResendWorld.WRITE, write + 1);
            next.accept(givenUp);
        }
        next.accept(resumed);
    }

    private static boolean isResumeLogged(final ResendWorld world, final int client, final int server)
    {
        boolean isLogged = false;
        for (int i = 0; i < world.logged(server); i++)
        {
            isLogged |= world.kind(server, i) == ResendWorld.RESUME + client;
        }
        return isLogged;
    }

    /** Drops what has reached the server before. */
    private void drain(final ResendWorld world, final int client, final int server)
    {
        if (bounds.isQueueDropped() || flaw == ResendFlaw.QUEUE_DRAINED_ON_ONE_SERVER)
        {
            for (int i = 0; i < ResendWorld.WRITES; i++)
            {
                world.queue(server, world.queue(server) & ~(1 << ResendWorld.request(client, i, 0)));
            }
        }
    }
}
