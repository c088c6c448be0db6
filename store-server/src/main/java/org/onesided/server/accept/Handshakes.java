package org.onesided.server.accept;

import java.util.LinkedHashSet;
import java.util.Set;
import org.onesided.server.session.AddressGroup;
import org.onesided.server.session.BootstrapConnection;
import org.onesided.server.session.Refusal;
import org.onesided.server.session.SessionLimits;

/**
 * Connections that have not become a session's yet: how many there may be, in all and from one address, and which of
 * them gives way while others wait. For the acceptor's thread.
 */
final class Handshakes
{
    /** While others wait, one that has said nothing may be silent for so long. */
    private static final long SILENCE_NS = 100_000_000L;
    /** While others wait, a client may take this part of the time of a handshake over its Hello. */
    private static final int HURRY = 4;
    /** While others wait, a client amid its Hello, or amid TLS' handshake, may pause for this part of that time. */
    private static final int HURRY_AMID_HELLO = 10;

    private final SessionLimits limits;
    /** In the order in which they began; perhaps some whose handshake has ended since the last of them began. */
    private final Set<BootstrapConnection> connections = new LinkedHashSet<>();

    Handshakes(final SessionLimits limits)
    {
        this.limits = limits;
    }

    void add(final BootstrapConnection connection)
    {
        connections.removeIf((each) -> !each.isGreeting());
        connections.add(connection);
    }

    /** Whether another from an address may begin. */
    boolean hasPlace(final AddressGroup address)
    {
        int count = 0;
        for (final BootstrapConnection connection : connections)
        {
            count += connection.isGreeting() ? 1 : 0;
        }
        return count < limits.maxHandshakes() && hasPlaceOfItsOwn(address);
    }

    /** The oldest that keeps the server waiting and whose place one from an address could take; null if none does. */
    BootstrapConnection stale(final AddressGroup address, final long nowNs)
    {
        final boolean isOfItsAddress = !hasPlaceOfItsOwn(address);
        for (final BootstrapConnection connection : connections)
        {
            if ((!isOfItsAddress || connection.address().equals(address)) &&
                connection.isStale(nowNs, SILENCE_NS, limits.handshakeTimeoutNs() / HURRY_AMID_HELLO,
                    limits.handshakeTimeoutNs() / HURRY))
            {
                return connection;
            }
        }
        return null;
    }

    /** Tells a client that there are as many handshakes as may be; it may come again. */
    void refuse(final BootstrapConnection connection, final BootstrapConnection.Handler handler)
    {
        final AddressGroup address = connection.address();
        if (limits.handshakesFrom(address) >= limits.maxHandshakes() || hasPlaceOfItsOwn(address))
        {
            handler.refuse(connection, Refusal.HANDSHAKES, "as many clients connect as may at a time: " +
                "max-handshakes=" + limits.maxHandshakes());
        }
        else
        {
            handler.refuse(connection, Refusal.HANDSHAKES_PER_ADDRESS, "as many clients connect from one address as " +
                "may at a time: address=" + address + " max-handshakes-per-address=" + limits.handshakesFrom(address));
        }
    }

    private boolean hasPlaceOfItsOwn(final AddressGroup address)
    {
        int near = 0;
        for (final BootstrapConnection connection : connections)
        {
            near += connection.isGreeting() && connection.address().equals(address) ? 1 : 0;
        }
        return near < limits.handshakesFrom(address);
    }
}
