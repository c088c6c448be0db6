package org.onesided.server.accept;

import java.util.LinkedHashSet;
import java.util.Set;
import org.onesided.server.session.AddressGroup;
import org.onesided.server.session.BootstrapConnection;
import org.onesided.server.session.Refusal;
import org.onesided.server.session.SessionLimits;

/**
 * Connections without a session. Limits them in total and per address, and chooses which one gives way while others
 * wait. For the acceptor's thread.
 */
final class Handshakes
{
    /** While others wait, a client must send its first byte within this time. */
    private static final long SILENCE_NS = 100_000_000L;
    /** While others wait, a client must send its Hello within this part of the time limit. */
    private static final int HURRY = 4;
    /** While others wait, a client may pause within its Hello or TLS handshake for this part of the time limit. */
    private static final int HURRY_AMID_HELLO = 10;
    /** While others wait, a client that said Hello may take this part of that time over each message that follows. */
    private static final int HURRY_AFTER_HELLO = 2;

    private final SessionLimits limits;
    /** Handshakes in the order of their begin. Some may have ended since the last one began. */
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

    /** Whether an address may begin another handshake. */
    boolean hasPlace(final AddressGroup address)
    {
        int count = 0;
        for (final BootstrapConnection connection : connections)
        {
            count += connection.isGreeting() ? 1 : 0;
        }
        return count < limits.maxHandshakes() && hasPlaceOfItsOwn(address);
    }

    /** The oldest handshake that keeps the server waiting and can give way to an address; null if there is none. */
    BootstrapConnection stale(final AddressGroup address, final long nowNs)
    {
        final boolean isOfItsAddress = !hasPlaceOfItsOwn(address);
        for (final BootstrapConnection connection : connections)
        {
            if ((!isOfItsAddress || connection.address().equals(address)) &&
                connection.isStale(nowNs, SILENCE_NS, limits.handshakeTimeoutNs() / HURRY_AMID_HELLO,
                    limits.handshakeTimeoutNs() / HURRY, limits.handshakeTimeoutNs() / HURRY_AFTER_HELLO))
            {
                return connection;
            }
        }
        return null;
    }

    /** Which limit keeps an address from another handshake, where there is no place for it. */
    Refusal limit(final AddressGroup address)
    {
        return limits.handshakesFrom(address) >= limits.maxHandshakes() || hasPlaceOfItsOwn(address) ?
            Refusal.HANDSHAKES : Refusal.HANDSHAKES_PER_ADDRESS;
    }

    /** Refuses a client because a limit of handshakes is reached. It may try again. */
    void refuse(
        final BootstrapConnection connection, final Refusal limit, final BootstrapConnection.Handler handler)
    {
        final AddressGroup address = connection.address();
        if (limit == Refusal.HANDSHAKES)
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
