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
 * All connections there are. One that is closed stays until {@link #sweep}, so that they can be gone through while some
 * are closed. For the acceptor's thread.
 */
final class Connections
{
    private final Set<BootstrapConnection> all = new LinkedHashSet<>();
    /** Those that were given their last message, in the order in which they were. */
    private final Deque<BootstrapConnection> leaving = new ArrayDeque<>();
    /** Those that were closed since they were swept. */
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

    /** Those that do not read their last message are as many as may be: the one that leaves the longest is closed. */
    void cutOldestLeaving(final int most)
    {
        if (leaving.size() > most)
        {
            leaving.poll().cutOff();
        }
    }

    /** Forgets those that are closed. */
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

    /** Whether one has a deadline. */
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

    /** As they are now: what becomes of them changes nothing in the list. */
    List<BootstrapConnection> toList()
    {
        return new ArrayList<>(all);
    }
}
