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
    /** Waiting connections by address, each queue in order of arrival. */
    private final Map<AddressGroup, Deque<Place>> places = new HashMap<>();
    private long arrivals;
    private int size;

    /** A waiting connection, and the number of those that arrived before it. */
    private record Place(Guest guest, long arrival)
    {
    }

    /**
     * @param capacity connections that may wait.
     */
    WaitingRoom(final int capacity)
    {
        this.capacity = capacity;
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
        final Deque<Place> near = places.get(address);
        return isFull() || !address.isLocal() && near != null && near.size() >= capacity - capacity / 2;
    }

    void add(final Guest guest)
    {
        places.computeIfAbsent(guest.address(), (address) -> new ArrayDeque<>()).add(new Place(guest, arrivals++));
        size++;
    }

    /**
     * The first of those for whom there is a place, taken out; null if there is none. Each address is asked about once,
     * so that one whose share is taken keeps no other waiting.
     */
    Guest takeNext(final Predicate<AddressGroup> hasPlace)
    {
        if (places.size() == 1)
        {
            // Usually there is one address, and nothing to sort.
            final AddressGroup only = places.keySet().iterator().next();
            return hasPlace.test(only) ? take(only) : null;
        }
        final List<Place> first = new ArrayList<>();
        places.values().forEach((near) -> first.add(near.peek()));
        first.sort(Comparator.comparingLong(Place::arrival));
        for (final Place place : first)
        {
            if (hasPlace.test(place.guest().address()))
            {
                return take(place.guest().address());
            }
        }
        return null;
    }

    private Guest take(final AddressGroup address)
    {
        final Deque<Place> near = places.get(address);
        final Guest guest = near.poll().guest();
        size--;
        if (near.isEmpty())
        {
            places.remove(address);
        }
        return guest;
    }

    /** Removes and returns a connection whose time is up, or returns null. */
    Guest takeLate(final long nowNs)
    {
        for (final Map.Entry<AddressGroup, Deque<Place>> near : places.entrySet())
        {
            // Each queue is in order of arrival.
            if (nowNs - near.getValue().peek().guest().deadlineNs() > 0)
            {
                return take(near.getKey());
            }
        }
        return null;
    }

    /** Extends the deadlines of all waiting connections. */
    void excuse(final long pauseNs)
    {
        for (final Deque<Place> near : places.values())
        {
            final int count = near.size();
            for (int i = 0; i < count; i++)
            {
                final Place place = near.poll();
                final Guest guest = place.guest();
                near.add(new Place(
                    new Guest(guest.socket(), guest.address(), guest.deadlineNs() + pauseNs), place.arrival()));
            }
        }
    }

    /** A connection that was closed while it waited is dropped when its turn comes. */
    @Override
    public void close()
    {
        places.values().forEach(
            (near) -> near.forEach((place) -> CloseHelper.quietClose(place.guest().socket())));
        places.clear();
        size = 0;
    }
}
