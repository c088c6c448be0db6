package org.onesided.server.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * All sessions, their connections, and their numbers by device, address and identity. For the acceptor's thread.
 */
final class Sessions
{
    private final List<ServedDevice> devices;
    private final Long2ObjectHashMap<Session> all = new Long2ObjectHashMap<>();
    private final Map<BootstrapConnection, Session> byOwner = new HashMap<>();
    /** By the index of their device. */
    private final int[] counts;
    private final Map<String, Integer> identities = new TreeMap<>();

    /**
     * @param devices that sessions are connected over.
     */
    Sessions(final List<ServedDevice> devices)
    {
        this.devices = devices;
        counts = new int[devices.size()];
    }

    void add(final Session session)
    {
        all.put(session.id(), session);
        counts[session.device().index()]++;
        identities.merge(session.identity(), 1, Integer::sum);
    }

    void remove(final Session session)
    {
        if (all.remove(session.id()) != null)
        {
            counts[session.device().index()]--;
            identities.computeIfPresent(session.identity(), (who, count) -> count == 1 ? null : count - 1);
        }
    }

    /** The session with that id, or null. */
    Session get(final long id)
    {
        return all.get(id);
    }

    /** The session with that id, if this client may resume it with this secret and device; else null. */
    Session find(
        final long id,
        final long secretHigh,
        final long secretLow,
        final ServedDevice device,
        final ClientIdentity client)
    {
        final Session session = all.get(id);
        return session != null && !session.isForgotten() && session.hasSecret(secretHigh, secretLow) &&
            session.device() == device && client.mayResume(session.client()) ? session : null;
    }

    /** The session that a connection is for, or null. */
    Session of(final BootstrapConnection connection)
    {
        return byOwner.get(connection);
    }

    /** Assigns a session to a connection, instead of its former connection. */
    void give(final Session session, final BootstrapConnection connection)
    {
        part(session);
        byOwner.put(connection, session);
        session.owner(connection);
    }

    /** Removes a session's connection, if it has one. */
    void part(final Session session)
    {
        if (session.owner() != null)
        {
            byOwner.remove(session.owner());
            session.owner(null);
        }
    }

    boolean isEmpty()
    {
        return all.isEmpty();
    }

    int size()
    {
        return all.size();
    }

    int count(final Predicate<Session> such)
    {
        int count = 0;
        for (final Session session : all.values())
        {
            count += such.test(session) ? 1 : 0;
        }
        return count;
    }

    /** A snapshot of the sessions: later changes do not affect the list. */
    List<Session> toList()
    {
        return new ArrayList<>(all.values());
    }

    /** Of the matching sessions, the one without a connection for the longest time, or null. */
    Session oldestOrphan(final Predicate<Session> such)
    {
        Session oldest = null;
        for (final Session session : all.values())
        {
            if (session.isOrphan() && such.test(session) &&
                (oldest == null || session.lastHeardNs() - oldest.lastHeardNs() < 0))
            {
                oldest = session;
            }
        }
        return oldest;
    }

    /** Number of sessions by kind of device. */
    Map<String, Integer> byDevice()
    {
        final Map<String, Integer> byDevice = new LinkedHashMap<>();
        for (final ServedDevice device : devices)
        {
            byDevice.put(device.device().kind(), counts[device.index()]);
        }
        return byDevice;
    }

    /** Number of sessions by identity. */
    Map<String, Integer> byIdentity()
    {
        return Map.copyOf(identities);
    }
}
