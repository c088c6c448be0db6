package org.onesided.server.session;

import java.util.List;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.session.ShardSession;

/**
 * The session of one client thread. It outlives its connection: until its lease expires, another connection may resume
 * it, and its requests are remembered so that none is executed twice. Belongs to the acceptor's thread, except
 * {@link #isCalledOff}.
 */
final class Session
{
    private final long id;
    private final long secretHigh;
    private final long secretLow;
    private final ServedDevice device;
    private ClientIdentity client;
    private final List<Shard> shards;
    private final List<ShardSession> shardSessions;
    private AddressGroup address;
    private BootstrapConnection owner;
    private Attachment attachment;
    private boolean isAttaching;
    private volatile boolean isCalledOff;
    private final AccessAllowance accesses;
    private long lastHeardNs;
    private long confirmed;
    private long announcedNs;
    private boolean wasOpen;
    private boolean isForgotten;
    private boolean isLeft;

    /**
     * @param shards        that it is connected to.
     * @param shardSessions one for each of them.
     */
    Session(
        final long id,
        final long secretHigh,
        final long secretLow,
        final ServedDevice device,
        final ClientIdentity client,
        final List<Shard> shards,
        final List<ShardSession> shardSessions,
        final long nowNs)
    {
        this.id = id;
        this.secretHigh = secretHigh;
        this.secretLow = secretLow;
        this.device = device;
        this.client = client;
        lastHeardNs = nowNs;
        accesses = new AccessAllowance(nowNs);
        this.shards = shards;
        this.shardSessions = shardSessions;
    }

    long id()
    {
        return id;
    }

    long secretHigh()
    {
        return secretHigh;
    }

    long secretLow()
    {
        return secretLow;
    }

    /** Takes the same time wherever the secrets differ. */
    boolean hasSecret(final long high, final long low)
    {
        return ((secretHigh ^ high) | (secretLow ^ low)) == 0;
    }

    /** Device of all its connections, because its requests may name memory that is registered there. */
    ServedDevice device()
    {
        return device;
    }

    /** Identity of the owner, which alone can resume the session. */
    String identity()
    {
        return client.name();
    }

    /** The owner, and what it may do. */
    ClientIdentity client()
    {
        return client;
    }

    /** The owner has shown its token again, which may be a new one. */
    void client(final ClientIdentity same)
    {
        client = same;
    }

    /** Address of the latest connection. */
    AddressGroup address()
    {
        return address;
    }

    /** The shards that it is connected to: all of the table, or the one of a cluster's member that it is for. */
    List<Shard> shards()
    {
        return shards;
    }

    /** Its parts, one for each of its shards. */
    List<ShardSession> shardSessions()
    {
        return shardSessions;
    }

    /** The present connection, or null. */
    BootstrapConnection owner()
    {
        return owner;
    }

    void owner(final BootstrapConnection connection)
    {
        owner = connection;
        address = connection == null ? address : connection.address();
    }

    /** Its queue pairs, even while they are being destroyed, or null. */
    Attachment attachment()
    {
        return attachment;
    }

    void attachment(final Attachment made)
    {
        // What came over queue pairs that are gone now was heard.
        lastHeardNs = lastHeardNs();
        attachment = made;
    }

    /** Whether the session is unused and no connection is in creation, so that it may be dropped for another. */
    boolean isOrphan()
    {
        return owner == null && attachment == null && !isAttaching;
    }

    /** The creation of queue pairs begins. The session keeps its place until that has succeeded or failed. */
    void beginAttaching()
    {
        isAttaching = true;
        isCalledOff = false;
    }

    boolean isAttaching()
    {
        return isAttaching;
    }

    /** The client no longer waits for the queue pairs that are being created. */
    void callOff()
    {
        isCalledOff = true;
    }

    /** Whether the creation of queue pairs can be skipped, if it has not begun. Safe to call from any thread. */
    boolean isCalledOff()
    {
        return isCalledOff;
    }

    void endAttaching()
    {
        isAttaching = false;
    }

    /** How many sampled lookups its client may still report. */
    AccessAllowance accesses()
    {
        return accesses;
    }

    /** Release epoch up to which its client has confirmed that it READs nothing that is retired. */
    long confirmed()
    {
        return confirmed;
    }

    void confirm(final long epoch)
    {
        confirmed = epoch;
    }

    /** When something was last announced that it is to confirm. */
    long announcedNs()
    {
        return announcedNs;
    }

    void announced(final long nowNs)
    {
        announcedNs = nowNs;
    }

    void heard(final long nowNs)
    {
        lastHeardNs = nowNs;
    }

    long lastHeardNs()
    {
        return attachment == null ? lastHeardNs : attachment.lastActivityNs(lastHeardNs);
    }

    /** Whether a client has used the session. If not, nobody can resume it. */
    boolean wasOpen()
    {
        return wasOpen;
    }

    void establish()
    {
        wasOpen = true;
    }

    /** Whether the session ends as soon as its queue pairs are destroyed. */
    boolean isForgotten()
    {
        return isForgotten;
    }

    void forget()
    {
        isForgotten = true;
    }

    /** Whether it goes on at another member of the cluster, so that no shard is to forget it. */
    boolean isLeft()
    {
        return isLeft;
    }

    void leave()
    {
        isLeft = true;
    }
}
