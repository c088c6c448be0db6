package org.onesided.server.accept;

import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.agrona.CloseHelper;
import org.onesided.server.session.AddressGroup;

/**
 * Accepted connections that wait for a handshake, because the limit of handshakes, in total or of their address, is
 * reached. They begin in order of arrival, except those of an address at its limit. Nothing is read from them, and only
 * the socket is kept. For the acceptor's thread.
 */
final class WaitingRoom implements AutoCloseable
{
    /** A waiting connection. */
    record Guest(SocketChannel socket, AddressGroup address, long deadlineNs)
    {
    }

    private final int capacity;
    private final long patienceNs;
    private final Map<AddressGroup, Near> places = new HashMap<>();
    private long arrivals;
    private int size;

    /** A waiting connection, and the number of those that arrived before it. */
    private record Place(Guest guest, long arrival)
    {
    }

    /** The waiting connections of an address, in order of arrival. */
    private static final class Near
    {
        private final Deque<Place> places = new ArrayDeque<>();
        /** None is late before this time. */
        private long lateNs;
    }

    /**
     * @param capacity   connections that may wait.
     * @param patienceNs for so long after one went in, no other of its address is late; 0 if each is at its deadline.
     */
    WaitingRoom(final int capacity, final long patienceNs)
    {
        this.capacity = capacity;
        this.patienceNs = patienceNs;
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    boolean isFull()
    {
        return size >= capacity;
    }

    /** Whether one address has half the places. The other half is for other addresses. */
    boolean isFullFor(final AddressGroup address)
    {
        final Near near = places.get(address);
        return isFull() || !address.isLocal() && near != null && near.places.size() >= capacity - capacity / 2;
    }

    void add(final Guest guest)
    {
        final Near near = places.computeIfAbsent(guest.address(), (address) -> new Near());
        if (near.places.isEmpty())
        {
            near.lateNs = guest.deadlineNs();
        }
        near.places.add(new Place(guest, arrivals++));
        size++;
    }

    /**
     * The first of those for whom there is a place, taken out; null if there is none. Each address is asked about once,
     * so that one whose share is taken keeps no other waiting.
     */
    Guest takeNext(final long nowNs, final Predicate<AddressGroup> hasPlace)
    {
        if (places.size() == 1)
        {
            // Usually there is one address, and nothing to sort.
            final AddressGroup only = places.keySet().iterator().next();
            return hasPlace.test(only) ? letIn(only, nowNs) : null;
        }
        final List<Place> first = new ArrayList<>();
        places.values().forEach((near) -> first.add(near.places.peek()));
        first.sort(Comparator.comparingLong(Place::arrival));
        for (final Place place : first)
        {
            if (hasPlace.test(place.guest().address()))
            {
                return letIn(place.guest().address(), nowNs);
            }
        }
        return null;
    }

    private Guest letIn(final AddressGroup address, final long nowNs)
    {
        places.get(address).lateNs = nowNs + patienceNs;
        return take(address);
    }

    private Guest take(final AddressGroup address)
    {
        final Near near = places.get(address);
        final Guest guest = near.places.poll().guest();
        size--;
        if (near.places.isEmpty())
        {
            places.remove(address);
        }
        return guest;
    }

    /** Removes and returns a connection whose time is up, or returns null. */
    Guest takeLate(final long nowNs)
    {
        for (final Map.Entry<AddressGroup, Near> near : places.entrySet())
        {
            final Near its = near.getValue();
            if (nowNs - its.places.peek().guest().deadlineNs() > 0 && nowNs - its.lateNs > 0)
            {
                return take(near.getKey());
            }
        }
        return null;
    }

    /** Extends the deadlines of all waiting connections. */
    void excuse(final long pauseNs)
    {
        for (final Near near : places.values())
        {
            near.lateNs += pauseNs;
            final int count = near.places.size();
            for (int i = 0; i < count; i++)
            {
                final Place place = near.places.poll();
                final Guest guest = place.guest();
                near.places.add(new Place(
                    new Guest(guest.socket(), guest.address(), guest.deadlineNs() + pauseNs), place.arrival()));
            }
        }
    }

    /** A connection that was closed while it waited is dropped when its turn comes. */
    @Override
    public void close()
    {
        places.values().forEach(
            (near) -> near.places.forEach((place) -> CloseHelper.quietClose(place.guest().socket())));
        places.clear();
        size = 0;
    }
}
