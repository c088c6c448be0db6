package org.onesided.server.accept;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.onesided.server.session.BootstrapConnection;

/**
 * All connections. A closed connection stays until {@link #sweep}, so that connections can be closed during an
 * iteration. For the acceptor's thread.
 */
final class Connections
{
    private final Set<BootstrapConnection> all = new LinkedHashSet<>();
    /** Connections that were sent their last message, in that order. */
    private final Deque<BootstrapConnection> leaving = new ArrayDeque<>();
    /** Number of connections closed since the last sweep. */
    private final List<BootstrapConnection> closed = new ArrayList<>();

    void add(final BootstrapConnection connection)
    {
        all.add(connection);
    }

    void onLeaving(final BootstrapConnection connection)
    {
        leaving.add(connection);
    }

    void onClosed(final BootstrapConnection connection)
    {
        closed.add(connection);
    }

    /** Limits connections that do not read their last message: closes the one that was sent it first. */
    void cutOldestLeaving(final int most)
    {
        if (leaving.size() > most)
        {
            leaving.poll().cutOff();
        }
    }

    /** Removes closed connections. */
    void sweep()
    {
        closed.forEach(all::remove);
        closed.forEach(leaving::remove);
        closed.clear();
    }

    boolean isEmpty()
    {
        return all.isEmpty();
    }

    /** Whether any connection has a deadline. */
    boolean haveDeadline()
    {
        for (final BootstrapConnection connection : all)
        {
            if (connection.hasDeadline())
            {
                return true;
            }
        }
        return false;
    }

    void forEach(final Consumer<BootstrapConnection> action)
    {
        all.forEach(action);
    }

    /** A snapshot: later changes do not affect the list. */
    List<BootstrapConnection> toList()
    {
        return new ArrayList<>(all);
    }
}
