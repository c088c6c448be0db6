package org.onesided.server.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.server.session.AddressGroup;

class WaitingRoomTest
{
    private final WaitingRoom room = new WaitingRoom(8);

    private static WaitingRoom.Guest from(final int address)
    {
        try
        {
            return new WaitingRoom.Guest(
                null, new AddressGroup(InetAddress.getByAddress(new byte[]{10, 0, 0, (byte)address}), false), 0);
        }
        catch (final UnknownHostException e)
        {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldAskOncePerAddressWhetherThereIsAPlace()
    {
        final WaitingRoom.Guest other = from(2);
        for (final WaitingRoom.Guest guest : List.of(from(1), from(1), other, from(1), from(2)))
        {
            room.add(guest);
        }
        final List<AddressGroup> asked = new ArrayList<>();
        assertNull(room.takeNext((address) -> !asked.add(address)));
        assertEquals(List.of(from(1).address(), from(2).address()), asked);
        assertSame(other, room.takeNext(other.address()::equals));
    }

    @Test
    void shouldLetThemInAsTheyCame()
    {
        final List<WaitingRoom.Guest> came = List.of(from(1), from(2), from(1), from(3), from(2));
        came.forEach(room::add);
        for (final WaitingRoom.Guest guest : came)
        {
            assertSame(guest, room.takeNext((any) -> true));
        }
        assertTrue(room.isEmpty());
        assertNull(room.takeNext((any) -> true));
    }

    @Test
    void shouldKeepHalfOfItForOthers()
    {
        for (int i = 0; i < 4; i++)
        {
            assertFalse(room.isFullFor(from(1).address()));
            room.add(from(1));
        }
        assertTrue(room.isFullFor(from(1).address()));
        assertFalse(room.isFullFor(from(2).address()));
        room.takeNext((any) -> true);
        assertFalse(room.isFullFor(from(1).address()));
    }

    @Test
    void shouldFindThoseWhoseTimeIsUp()
    {
        final WaitingRoom.Guest early = from(1);
        room.add(early);
        final WaitingRoom.Guest later = new WaitingRoom.Guest(null, from(2).address(), 10);
        room.add(later);
        assertNull(room.takeLate(0));
        assertSame(early, room.takeLate(1));
        assertNull(room.takeLate(10));
        room.excuse(5);
        assertNull(room.takeLate(15));
        assertSame(later.address(), room.takeLate(16).address());
        assertTrue(room.isEmpty());
    }
}
