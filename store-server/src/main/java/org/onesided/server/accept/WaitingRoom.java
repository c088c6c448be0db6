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
 * Connections that were accepted while there were as many handshakes as there may be, all in all or from their address:
 * they wait for their turn, in the order in which they came, but for those whose address has its share. Nothing is read
 * of them, and nothing kept but the socket. For the acceptor's thread.
 */
final class WaitingRoom implements AutoCloseable
{
    /** One that waits. */
    record Guest(SocketChannel socket, AddressGroup address, long deadlineNs)
    {
    }

    private final int capacity;
    /** Those of each address in their order; addresses in no order. */
    private final Map<AddressGroup, Deque<Place>> places = new HashMap<>();
    private long arrivals;
    private int size;

    /** A guest, and how many came before. */
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

    /** Whether those of one address have half the room: the others are for those who come from elsewhere. */
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
            // As a rule there is one address, and no need to sort.
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

    /** One whose time is up, taken out; null if there is none. */
    Guest takeLate(final long nowNs)
    {
        for (final Map.Entry<AddressGroup, Deque<Place>> near : places.entrySet())
        {
            // They came in their order.
            if (nowNs - near.getValue().peek().guest().deadlineNs() > 0)
            {
                return take(near.getKey());
            }
        }
        return null;
    }

    /** Gives those that wait more time. */
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

    /** Those who left while they waited give their place up when it is their turn. */
    @Override
    public void close()
    {
        places.values().forEach(
            (near) -> near.forEach((place) -> CloseHelper.quietClose(place.guest().socket())));
        places.clear();
        size = 0;
    }
}
