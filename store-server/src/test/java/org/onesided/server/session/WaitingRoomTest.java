package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingRoomTest
{
    private final WaitingRoom room = new WaitingRoom(8);

    private static WaitingRoom.Guest from(final int address)
    {
        try
        {
            return new WaitingRoom.Guest(
                null, AddressGroup.of(InetAddress.getByAddress(new byte[]{10, 0, 0, (byte)address})), 0);
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
        assertNull(room.next((address) -> !asked.add(address)));
        assertEquals(List.of(from(1).address(), from(2).address()), asked);
        assertSame(other, room.next(other.address()::equals));
    }
}
