package org.onesided.model;

import java.util.Arrays;

/**
 * A state of the model of leases: replicas of a log, and clients that hold leases and look one register up. Its version
 * is the number of writes to it that are applied. Times are in ticks of the fastest clock.
 *
 * <pre>
 *   replica + wait | until it may release | has released
 *   ...
 *   observed | writes left | releases left | restarts left | is wrong
 *   client  = request | lease | lookup
 *   request = stage | server | index of its proof at least | term | age
 *   lease   = is held | server | term | age
 *   lookup  = stage | server | term | version at least | version
 * </pre>
 *
 * <p>A request arrives when it is sent, and a leader answers a write when it has applied it: if either took longer,
 * less could happen. So the model knows of writes only the newest version that any answer told.
 */
final class LeaseWorld extends Replicas
{
    /** Stages of a request and its grant. */
    static final int NO_REQUEST = 0;
    static final int ARRIVED = 1;
    static final int GRANTED = 2;
    /** Stages of a lookup. */
    static final int NO_LOOKUP = 0;
    static final int POSTED = 1;
    static final int FETCHED = 2;

    /** Kinds of entries. */
    static final int WRITE = ELECTED + 1;
    static final int EMPTY = WRITE + 1;
    static final int RELEASE = EMPTY + 1;

    /** Fields of a replica. */
    static final int WAIT = 0;
    static final int UNTIL_RELEASE = WAIT + 1;
    static final int HAS_RELEASED = UNTIL_RELEASE + 1;
    private static final int REPLICA_FIELDS = HAS_RELEASED + 1;

    /** Fields of a client. */
    static final int REQUEST = 0;
    static final int REQUEST_SERVER = REQUEST + 1;
    static final int REQUEST_PROOF = REQUEST_SERVER + 1;
    static final int REQUEST_TERM = REQUEST_PROOF + 1;
    static final int REQUEST_AGE = REQUEST_TERM + 1;
    static final int LEASE = REQUEST_AGE + 1;
    static final int LEASE_SERVER = LEASE + 1;
    static final int LEASE_TERM = LEASE_SERVER + 1;
    static final int LEASE_AGE = LEASE_TERM + 1;
    static final int LOOKUP = LEASE_AGE + 1;
    static final int LOOKUP_SERVER = LOOKUP + 1;
    static final int LOOKUP_TERM = LOOKUP_SERVER + 1;
    static final int LOOKUP_LEAST = LOOKUP_TERM + 1;
    static final int LOOKUP_VERSION = LOOKUP_LEAST + 1;
    private static final int CLIENT_FIELDS = LOOKUP_VERSION + 1;

    private static final int OBSERVED = length(REPLICA_FIELDS);
    static final int WRITES_LEFT = OBSERVED + 1;
    static final int RELEASES_LEFT = WRITES_LEFT + 1;
    static final int RESTARTS_LEFT = RELEASES_LEFT + 1;
    private static final int IS_WRONG = RESTARTS_LEFT + 1;
    private static final int CLIENTS = IS_WRONG + 1;

    private LeaseWorld(final byte[] bytes)
    {
        super(bytes, REPLICA_FIELDS);
    }

    static LeaseWorld start(final LeaseBounds bounds)
    {
        final LeaseWorld start = new LeaseWorld(new byte[CLIENTS + bounds.clients() * CLIENT_FIELDS]);
        start.begin();
        start.bytes[WRITES_LEFT] = (byte)bounds.writes();
        start.bytes[RELEASES_LEFT] = (byte)bounds.releases();
        start.bytes[RESTARTS_LEFT] = (byte)bounds.restarts();
        for (int i = 0; i < bounds.clients() && bounds.isBegunWithLeases(); i++)
        {
            start.set(i, LEASE, 1);
            start.set(i, LEASE_TERM, start.newestTerm());
            start.own(0, UNTIL_RELEASE, bounds.releases() > 0 ? bounds.waitTicks() : 0);
        }
        return start;
    }

    LeaseWorld copy()
    {
        return new LeaseWorld(bytes.clone());
    }

    int clients()
    {
        return (bytes.length - CLIENTS) / CLIENT_FIELDS;
    }

    int get(final int client, final int field)
    {
        return bytes[CLIENTS + client * CLIENT_FIELDS + field];
    }

    void set(final int client, final int field, final int value)
    {
        bytes[CLIENTS + client * CLIENT_FIELDS + field] = (byte)value;
    }

    /** Forgets a request, a lease or a lookup, from its first field to the one before another. */
    void clear(final int client, final int from, final int to)
    {
        final int base = CLIENTS + client * CLIENT_FIELDS;
        Arrays.fill(bytes, base + from, base + to, (byte)0);
    }

    void clearRequest(final int client)
    {
        clear(client, REQUEST, LEASE);
    }

    void clearLease(final int client)
    {
        clear(client, LEASE, LOOKUP);
    }

    void clearLookup(final int client)
    {
        clear(client, LOOKUP, CLIENT_FIELDS);
    }

    /** Takes one from what is left. */
    LeaseWorld take(final int left)
    {
        bytes[left]--;
        return this;
    }

    boolean isLeft(final int left)
    {
        return bytes[left] > 0;
    }

    /** The newest version that anybody was told: a lookup that begins now must not return an older one. */
    int observed()
    {
        return bytes[OBSERVED];
    }

    void observe(final int version)
    {
        bytes[OBSERVED] = (byte)Math.max(observed(), version);
    }

    boolean isWrong()
    {
        return bytes[IS_WRONG] != 0;
    }

    void wrong()
    {
        bytes[IS_WRONG] = 1;
    }

    /** The version that a replica's region shows. */
    int version(final int replica)
    {
        int version = 0;
        for (int i = 0; i < applied(replica); i++)
        {
            version += kind(replica, i) == WRITE ? 1 : 0;
        }
        return version;
    }

    /** Whether a client may look up in a replica's memory, or will by a grant that is under way. */
    boolean isRead(final int replica)
    {
        boolean isRead = false;
        for (int i = 0; i < clients(); i++)
        {
            isRead |= get(i, REQUEST) == GRANTED && get(i, REQUEST_SERVER) == replica ||
                get(i, LEASE) != 0 && get(i, LEASE_SERVER) == replica ||
                get(i, LOOKUP) != NO_LOOKUP && get(i, LOOKUP_SERVER) == replica;
        }
        return isRead;
    }

    /** What one who leads no more has not granted, it never grants. */
    @Override
    void resign(final int replica)
    {
        own(replica, WAIT, 0);
        own(replica, UNTIL_RELEASE, 0);
        own(replica, HAS_RELEASED, 0);
        for (int i = 0; i < clients(); i++)
        {
            if (get(i, REQUEST) == ARRIVED && get(i, REQUEST_SERVER) == replica)
            {
                clearRequest(i);
            }
        }
    }

    /** A state that stands for all that differ from it only in the numbers of replicas and clients. */
    byte[] canonical()
    {
        final int[] places = places();
        final byte[] state = bytes.clone();
        arrange(state, places);
        for (int i = 0; i < clients(); i++)
        {
            final int base = CLIENTS + i * CLIENT_FIELDS;
            rename(state, base, REQUEST, places);
            rename(state, base, LEASE, places);
            rename(state, base, LOOKUP, places);
        }
        sortClients(state);
        return state;
    }

    private static void rename(final byte[] state, final int base, final int part, final int[] places)
    {
        if (state[base + part] != 0)
        {
            state[base + part + 1] = (byte)places[state[base + part + 1]];
        }
    }

    private void sortClients(final byte[] state)
    {
        for (int i = CLIENTS; i + CLIENT_FIELDS < state.length; i += CLIENT_FIELDS)
        {
            for (int j = i + CLIENT_FIELDS; j < state.length; j += CLIENT_FIELDS)
            {
                if (Arrays.compare(state, j, j + CLIENT_FIELDS, state, i, i + CLIENT_FIELDS) < 0)
                {
                    for (int k = 0; k < CLIENT_FIELDS; k++)
                    {
                        final byte swapped = state[i + k];
                        state[i + k] = state[j + k];
                        state[j + k] = swapped;
                    }
                }
            }
        }
    }

    /** In a line to be read by people. */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("observed=" + observed());
        for (int i = 0; i < COUNT; i++)
        {
            text.append(" | ").append(text(i)).append(" wait=").append(own(i, WAIT));
        }
        for (int i = 0; i < clients(); i++)
        {
            final int base = CLIENTS + i * CLIENT_FIELDS;
            text.append(" | request, lease, lookup=")
                .append(Arrays.toString(Arrays.copyOfRange(bytes, base, base + LEASE)))
                .append(Arrays.toString(Arrays.copyOfRange(bytes, base + LEASE, base + LOOKUP)))
                .append(Arrays.toString(Arrays.copyOfRange(bytes, base + LOOKUP, base + CLIENT_FIELDS)));
        }
        return text.toString();
    }
}
