package org.onesided.client;

/**
 * All that binds a session to one life of a server, and is replaced together: queue pairs, buffers, the table's
 * addresses and keys, its seeds, its epoch and its mirror. For the session's thread, but for {@link #lose}.
 */
final class Attachment implements AutoCloseable
{
    private final Connection connection;
    private final CompletionLoop loop;
    private final ServerInfo server;
    private final SessionIdentity identity;
    private final boolean isResumed;
    private final ReadPath reads;
    private final RequestSlots slots;
    private final Rpc rpc;

    /**
     * @param identity  it takes to resume the session.
     * @param isResumed whether the session is the one that was to be resumed.
     * @param slots     of its session; they outlive it.
     */
    Attachment(
        final Connection connection,
        final ServerInfo server,
        final SessionIdentity identity,
        final boolean isResumed,
        final ReadPath reads,
        final RequestSlots slots,
        final Rpc rpc)
    {
        this.connection = connection;
        loop = connection.loop();
        this.server = server;
        this.identity = identity;
        this.isResumed = isResumed;
        this.reads = reads;
        this.slots = slots;
        this.rpc = rpc;
    }

    Connection connection()
    {
        return connection;
    }

    CompletionLoop loop()
    {
        return loop;
    }

    ServerInfo server()
    {
        return server;
    }

    /** What it takes to resume the session. */
    SessionIdentity identity()
    {
        return identity;
    }

    /** Whether the session is the one that was to be resumed, its unanswered requests still known. */
    boolean isResumed()
    {
        return isResumed;
    }

    ReadPath reads()
    {
        return reads;
    }

    /** The requests of its session. They outlive it. */
    RequestSlots slots()
    {
        return slots;
    }

    Rpc rpc()
    {
        return rpc;
    }

    boolean isLost()
    {
        return loop.isLost();
    }

    /** Wakes the session's thread, from any thread, to find the attachment lost. */
    void lose(final String reason)
    {
        loop.lose(reason);
    }

    /** Takes leave of the server. No buffer is written after this. */
    @Override
    public void close()
    {
        connection.close();
    }

    /** As {@link #close}, but the server is to keep the session for {@link #identity} to be resumed. */
    void closeToResume()
    {
        connection.closeToResume();
    }
}
