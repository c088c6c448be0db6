package org.onesided.server.session;

import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Predicate;
import org.agrona.CloseHelper;

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
    private final Deque<Guest> guests = new ArrayDeque<>();

    /**
     * @param capacity connections that may wait.
     */
    WaitingRoom(final int capacity)
    {
        this.capacity = capacity;
    }

    boolean isEmpty()
    {
        return guests.isEmpty();
    }

    boolean isFull()
    {
        return guests.size() >= capacity;
    }

    /** Whether those of one address have half the room: the others are for those who come from elsewhere. */
    boolean isFullFor(final AddressGroup address)
    {
        int count = 0;
        for (final Guest guest : guests)
        {
            count += guest.address().equals(address) ? 1 : 0;
        }
        return isFull() || !address.isLocal() && count >= capacity - capacity / 2;
    }

    void add(final Guest guest)
    {
        guests.add(guest);
    }

    /**
     * The first of those for whom there is a place, taken out; null if there is none. Each address is asked about once,
     * so that one whose share is taken keeps no other waiting.
     */
    Guest next(final Predicate<AddressGroup> hasPlace)
    {
        final Set<AddressGroup> full = new HashSet<>();
        final Iterator<Guest> all = guests.iterator();
        while (all.hasNext())
        {
            final Guest guest = all.next();
            if (!full.contains(guest.address()))
            {
                if (hasPlace.test(guest.address()))
                {
                    all.remove();
                    return guest;
                }
                full.add(guest.address());
            }
        }
        return null;
    }

    /** One whose time is up, taken out; null if there is none. */
    Guest late(final long nowNs)
    {
        // They came in their order.
        return guests.isEmpty() || nowNs - guests.peek().deadlineNs() <= 0 ? null : guests.poll();
    }

    /** Gives those that wait more time. */
    void excuse(final long pauseNs)
    {
        final int count = guests.size();
        for (int i = 0; i < count; i++)
        {
            final Guest guest = guests.poll();
            guests.add(new Guest(guest.socket(), guest.address(), guest.deadlineNs() + pauseNs));
        }
    }

    /** Those who left while they waited give their place up when it is their turn. */
    @Override
    public void close()
    {
        guests.forEach(guest -> CloseHelper.quietClose(guest.socket()));
        guests.clear();
    }
}
