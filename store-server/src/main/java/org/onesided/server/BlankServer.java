package org.onesided.server;

import java.net.InetSocketAddress;
import java.util.List;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.jspecify.annotations.Nullable;
import org.onesided.server.accept.Acceptor;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.TableOnDisk;
import org.onesided.server.forming.Foundation;
import org.onesided.server.forming.FormingDesk;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.session.Credentials;
import org.onesided.server.session.ServedTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that has no table yet, and waits until a client makes it a member of a cluster. It listens where the server
 * will, and holds clients to the same rules. Then it is closed, and {@link StoreServer} starts with the same options.
 * Thread-safe.
 */
public final class BlankServer implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(BlankServer.class);
    /** No client gets a session. */
    private static final SessionGeometry NO_SESSIONS = new SessionGeometry(1, 8192, 2, 1, 1, 1);

    private final ServerResources resources = new ServerResources(this::onAgentEnded);
    private final ServerOptions options;
    private final Runnable onEnd;
    private final boolean isShardsGiven;
    private final int shards;
    private BlankDirectory directory;
    private Acceptor acceptor;
    private volatile boolean isFormed;
    private volatile Throwable failure;
    private boolean isClosed;

    private BlankServer(final ServerOptions options, final Runnable onEnd)
    {
        this.options = options;
        this.onEnd = onEnd;
        isShardsGiven = options.numbers().isGiven(ServerSetting.SHARDS);
        shards = options.shards();
    }

    /**
     * Tells whether a server with these options has to wait until it is formed.
     *
     * @param options of a server.
     * @return whether it is to be a member of a cluster, and its directory holds no table.
     */
    public static boolean isBlank(final ServerOptions options)
    {
        return options.peers().listen() != null && options.data().isStored() &&
            !TableOnDisk.isIn(options.data().directory());
    }

    /**
     * Starts to wait. When this returns, clients can connect; when it throws, nothing stays open.
     *
     * @param options with which the server will start. Once it is formed, they name the number of shards.
     * @param onEnd   called once or several times, on some thread, when it is formed or has failed; it must not wait.
     * @return the server, to be closed by the caller.
     * @throws IllegalArgumentException as {@link StoreServer#start}.
     * @throws ServerException          as {@link StoreServer#start}.
     */
    public static BlankServer start(final ServerOptions options, final Runnable onEnd)
    {
        ServerOptionRules.check(options);
        final BlankServer server = new BlankServer(options, onEnd);
        try
        {
            server.open();
        }
        catch (final RuntimeException | Error e)
        {
            server.resources.closeAll(e);
            throw e;
        }
        return server;
    }

    private void open()
    {
        final InetSocketAddress listenAddress = ServerAddress.resolve(options);
        final Exposure exposure = new Exposure(options);
        exposure.check(listenAddress);
        final Credentials credentials = ServerCredentials.read(options);
        ServerCredentials.readPeers(options, options.peers().listen());
        PeerAddress.tryOut(PeerAddress.check(options.peers().listen(), options.peers().isTls()));
        ServerMemory.check(options.memory());
        try
        {
            directory = resources.add(BlankDirectory.open(options.data().directory()));
        }
        catch (final DataDirectoryException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
        final FormingDesk desk =
            resources.add(new FormingDesk(
            options.peers().listen(), options.peers().isTls(), options.peers().zone(), this::form, this::onFormed,
            this::fail));
        acceptor = resources.add(ServerAddress.listen(
            listenAddress, ServedTable.blank(desk), credentials,
            SessionSizes.limits(options, options.maxSessions(), NO_SESSIONS), List.of()));
        resources.run(acceptor, NoOpIdleStrategy.INSTANCE, () -> acceptor.stop("server was formed, or stops"));
        LOGGER.info("blank, waiting to be formed: address={} peer={} peer-tls={}",
            ServerAddress.text(acceptor.address()), options.peers().listen(), options.peers().isTls() ? "yes" : "no");
    }

    /** Called for one client at a time. A directory that is formed must be one that the server can start with. */
    private void form(final Foundation foundation)
    {
        if (isShardsGiven && foundation.shards() != shards)
        {
            throw new IllegalArgumentException("this server was started with another number of shards, leave " +
                "--shards out: shards=" + shards + " partitions=" + foundation.shards());
        }
        Membership.check(foundation.description(), options.peers().isTls());
        options.shards(foundation.shards());
        ServerOptionRules.check(options);
        ServerMemory.plan(options);
        directory.form(foundation.identity(), foundation.shards(), foundation.description());
    }

    private void onFormed()
    {
        isFormed = true;
        onEnd.run();
    }

    private void fail(final Throwable cause)
    {
        failure = cause;
        onEnd.run();
    }

    /** Only a failure ends the acceptor before it is told to stop. */
    private void onAgentEnded(final String agent, final Throwable cause)
    {
        if (cause != null)
        {
            fail(cause);
        }
    }

    /**
     * @return where it listens.
     */
    public InetSocketAddress address()
    {
        return acceptor.address();
    }

    /**
     * @return whether it is a member of a cluster now, and is to be closed.
     */
    public boolean isFormed()
    {
        return isFormed;
    }

    /**
     * @return why it waits no longer although it is not formed; null if it waits or is formed.
     */
    public @Nullable Throwable failure()
    {
        return failure;
    }

    /**
     * Takes leave of all clients, and leaves address and directory. A directory that it has made, and that was not
     * formed, is removed. Has no effect the second time.
     */
    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            LOGGER.info("stopping: address={}", ServerAddress.text(address()));
            resources.closeAll(null);
        }
    }
}
