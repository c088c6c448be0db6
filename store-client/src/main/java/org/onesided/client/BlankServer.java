package org.onesided.client;

import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BlankAnswer;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.ClusterConnection;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.types.ClusterFoundation;

/**
 * The connection to a server that has no table and waits to become a member of a cluster. The server waits for half a
 * minute for what it is to become; without that, it stays blank. Not thread-safe.
 */
public final class BlankServer implements AutoCloseable
{
    private final HostAndPort address;
    private final long deadlineNs;
    private final ClusterConnection connection;
    private final BlankAnswer answer;

    private BlankServer(
        final HostAndPort address,
        final long deadlineNs,
        final ClusterConnection connection,
        final BlankAnswer answer)
    {
        this.address = address;
        this.deadlineNs = deadlineNs;
        this.connection = connection;
        this.answer = answer;
    }

    /** As {@link StoreClientBuilder#connectBlank()}. */
    static BlankServer connect(final ClientConfiguration configuration)
    {
        final HostAndPort address = HostAndPort.parse(configuration.server());
        ClusterConnection connection = null;
        try
        {
            connection = new ClusterConnection(new BootstrapConnection(
                address, configuration.tls(), System.nanoTime() + configuration.deadlineNs(), null));
            final BlankAnswer answer = connection.askBlank(configuration.token());
            final BlankServer server = new BlankServer(address, configuration.deadlineNs(), connection, answer);
            connection = null;
            return server;
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
        finally
        {
            CloseHelper.quietClose(connection);
        }
    }

    /**
     * @return host and port where clients connect, as the members will tell them.
     */
    public String address()
    {
        return address.toString();
    }

    /**
     * @return host and port where other members will connect.
     */
    public String peerAddress()
    {
        return answer.peerAddress();
    }

    /**
     * All members must answer the same.
     *
     * @return whether it talks to other members within TLS only.
     */
    public boolean isPeerTls()
    {
        return answer.isPeerTls();
    }

    /**
     * @return the zone that it is in, as it was started with; null for none.
     */
    public @Nullable String zone()
    {
        return answer.zone().isEmpty() ? null : answer.zone();
    }

    /**
     * Makes the server a member of a cluster, for good. It closes the connection then, and starts.
     *
     * @param self       number of the member that it becomes.
     * @param foundation the same for all members.
     * @throws org.onesided.client.exceptions.StoreException if it refuses, or does not answer in time, or the
     *                                                       connection breaks. In the latter cases it may be a member
     *                                                       all the same.
     */
    public void form(final long self, final ClusterFoundation foundation)
    {
        form(self, foundation, false, false);
    }

    /**
     * Tells the server what it is to become, without making it that. It stays blank, and remembers that until it ends
     * or is told something else; {@link #found} makes it a member, over this connection or another one.
     *
     * @param self       number of the member that it is to become.
     * @param foundation the same for all members.
     * @throws org.onesided.client.exceptions.StoreException if it refuses, or does not answer in time, or the
     *                                                       connection breaks.
     */
    public void prepare(final long self, final ClusterFoundation foundation)
    {
        form(self, foundation, true, false);
    }

    /**
     * Makes the server a member of a cluster that is there already. It closes the connection then, starts, and waits
     * until leaders of partitions take it in.
     *
     * @param self       number of the member that it becomes, which no member had before.
     * @param foundation as members have it, with the new one.
     * @throws org.onesided.client.exceptions.StoreException as {@link #form}.
     */
    public void join(final long self, final ClusterFoundation foundation)
    {
        form(self, foundation, false, true);
    }

    private void form(
        final long self, final ClusterFoundation foundation, final boolean isPreparation, final boolean joins)
    {
        try
        {
            connection.form(self, foundation, isPreparation, joins, System.nanoTime() + deadlineNs);
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
    }

    /**
     * @return id of the table that the server had been prepared for when this connection began; 0 for none.
     */
    public long prepared()
    {
        return answer.prepared();
    }

    /**
     * Makes the server the member of a cluster that it was prepared to be, for good. It closes the connection then, and
     * starts.
     *
     * @param tableId of the table that it must have been prepared for.
     * @throws org.onesided.client.exceptions.StoreException as {@link #form}.
     */
    public void found(final long tableId)
    {
        try
        {
            connection.found(tableId, System.nanoTime() + deadlineNs);
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
    }

    /** Ends the connection. A server that was not told what to become stays blank. */
    @Override
    public void close()
    {
        CloseHelper.quietClose(connection);
    }
}
