package org.onesided.client.session;

import java.util.function.Supplier;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.types.ServerInfo;

/**
 * Everything that binds a session to one process of a server, and is replaced together: queue pairs, buffers, the
 * table's addresses and keys, its seeds, its epoch and its mirror. For the session's thread, except {@link #lose}.
 */
public final class Attachment implements AutoCloseable
{
    private final Connection connection;
    private final CompletionLoop loop;
    private final ServerInfo server;
    private final SessionIdentity identity;
    private final boolean isResumed;
    private final Table table;
    private final VerbsReader reader;
    private final Confirmation confirmation;
    private final AccessSampler accesses;
    private final RegisteredBuffer readSpace;
    private final Supplier<RegisteredBuffer> batchSpace;
    private final PendingRequests.Link requests;
    private final ReadLease lease;

    /**
     * @param identity     it takes to resume the session.
     * @param isResumed    whether the session is the one that was to be resumed.
     * @param table        that is read.
     * @param reader       READs it.
     * @param confirmation tells the server what it no longer READs.
     * @param accesses     samples lookups for the server.
     * @param readSpace    of {@link ReadDemand#space} bytes.
     * @param batchSpace   gives {@link ReadDemand#batchSpace} bytes.
     * @param requests     carries the session's requests.
     * @param lease        says whether what is READ may be believed.
     */
    Attachment(
        final Connection connection,
        final ServerInfo server,
        final SessionIdentity identity,
        final boolean isResumed,
        final Table table,
        final VerbsReader reader,
        final Confirmation confirmation,
        final AccessSampler accesses,
        final RegisteredBuffer readSpace,
        final Supplier<RegisteredBuffer> batchSpace,
        final PendingRequests.Link requests,
        final ReadLease lease)
    {
        this.connection = connection;
        loop = connection.loop();
        this.server = server;
        this.identity = identity;
        this.isResumed = isResumed;
        this.table = table;
        this.reader = reader;
        this.confirmation = confirmation;
        this.accesses = accesses;
        this.readSpace = readSpace;
        this.batchSpace = batchSpace;
        this.requests = requests;
        this.lease = lease;
    }

    /**
     * @return the queue pairs and the life line.
     */
    public Connection connection()
    {
        return connection;
    }

    /**
     * @return its completions.
     */
    public CompletionLoop loop()
    {
        return loop;
    }

    ServerInfo server()
    {
        return server;
    }

    /** Identity to resume the session with. */
    SessionIdentity identity()
    {
        return identity;
    }

    /** Whether the server resumed the former session, so that it knows its unanswered requests. */
    boolean isResumed()
    {
        return isResumed;
    }

    /**
     * @return the table's layout, seeds and mirror.
     */
    public Table table()
    {
        return table;
    }

    /**
     * @return the reader of the table.
     */
    public VerbsReader reader()
    {
        return reader;
    }

    /**
     * @return what it confirms to the server of retired buckets.
     */
    public Confirmation confirmation()
    {
        return confirmation;
    }

    /**
     * @return is told of each lookup.
     */
    public AccessSampler accesses()
    {
        return accesses;
    }

    /**
     * @return memory for what is READ one by one, of {@link ReadDemand#space} bytes.
     */
    public RegisteredBuffer readSpace()
    {
        return readSpace;
    }

    /**
     * @return supplier of memory for READs in groups, of {@link ReadDemand#batchSpace} bytes; made when it is first
     *     asked for.
     */
    public Supplier<RegisteredBuffer> batchSpace()
    {
        return batchSpace;
    }

    /** Carries the session's requests. */
    PendingRequests.Link requests()
    {
        return requests;
    }

    /**
     * @return to be asked before the first READ or request of a lookup, and after the last.
     */
    public ReadLease lease()
    {
        return lease;
    }

    /**
     * @return whether it is lost, so that the next operation needs another.
     */
    public boolean isLost()
    {
        return loop.isLost();
    }

    /** Marks the attachment as lost and wakes the session's thread. Safe to call from any thread. */
    void lose(final String reason)
    {
        loop.lose(reason);
    }

    /** Says goodbye to the server. No buffer is written after this. */
    @Override
    public void close()
    {
        connection.close();
    }

    /** As {@link #close}, but the server keeps the session, to be resumed with {@link #identity}. */
    void closeToResume()
    {
        connection.closeToResume();
    }
}
