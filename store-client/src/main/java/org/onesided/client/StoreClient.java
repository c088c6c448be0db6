package org.onesided.client;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.stream.Stream;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.pool.SessionPool;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.BackupListener;
import org.onesided.verbs.JvmFlags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one store. Thread-safe: it lends sessions from a bounded pool to the threads that call it, and
 * reconnects by itself. Over the device {@code tcp}, threads that find all sessions lent have their operations carried
 * out together; then calls allocate that do not otherwise.
 *
 * <pre>{@code
 * try (StoreClient client = StoreClient.builder().server("127.0.0.1:19875").build())
 * {
 *     client.put("answer", "42");
 *     System.out.println(client.get("answer"));
 * }
 * }</pre>
 */
public final class StoreClient extends LentOperations implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreClient.class);

    private final ClientContext context;
    private final SessionPool<LentSession> pool;
    private final LentSessions sessions;
    /** Null on a device where joint requests cost as much as single ones. */
    private final JointOperations joint;
    private final Object asyncLock = new Object();
    private AsyncWorker worker;
    private AsyncStore async;

    /** @param context whose device is open; it ends with the client. */
    StoreClient(final ClientContext context)
    {
        this(context, new SessionPool<>(
            context,
            (operation, deadlineNs) -> new LentSession(new StoreSession(context, operation, deadlineNs, true)),
            context.configuration().maxSessions()));
    }

    private StoreClient(final ClientContext context, final SessionPool<LentSession> pool)
    {
        this(context, pool, new PoolSessions(context, pool, context.configuration().deadlineNs()),
            isJoint(context) ? new JointOperations(context, pool) : null);
    }

    /** A lookup that waits for a lease must not hold others up. */
    private static boolean isJoint(final ClientContext context)
    {
        return context.device().device().gathersRequests() && !context.destination().isMoving();
    }

    private StoreClient(
        final ClientContext context,
        final SessionPool<LentSession> pool,
        final LentSessions sessions,
        final JointOperations joint)
    {
        super(sessions, joint == null ? null : new JointCalls(joint, context.configuration().deadlineNs()));
        this.context = context;
        this.pool = pool;
        this.sessions = sessions;
        this.joint = joint;
    }

    /**
     * @return a builder with the defaults.
     * @throws UnsupportedOperationException if the JVM lacks an option that the library needs; the message names it.
     */
    public static StoreClientBuilder builder()
    {
        JvmFlags.check();
        return new StoreClientBuilder();
    }

    /**
     * Connects a first session.
     *
     * @param durationNs nanoseconds that it may take.
     */
    void begin(final long durationNs)
    {
        final LentSessions first = sessions.within(durationNs);
        first.giveBack(first.borrow(Operation.CONNECT));
        LOGGER.debug("connected: server={} device={}: {}",
            context.address(), server().device(), context.device().device().why());
    }

    /**
     * Lends a session to a function, so that a run of calls needs to ask the pool only once.
     *
     * @param function gets the session, in the calling thread; it must neither keep nor close it.
     * @param <T>      type of what comes out.
     * @return what the function returned.
     * @throws StoreDeadlineException if all sessions stay lent until the deadline.
     */
    public <T> T withSession(final SessionFunction<T> function)
    {
        return sessions.apply(Operation.WITH_SESSION, function, (session, of) -> of.apply(session));
    }

    /**
     * Gives the asynchronous view of this client: futures, carried out over one session of its own, which it has from
     * the first operation on, by one thread at a time of those that all clients of the JVM share.
     *
     * @return the view, the same for all callers; it ends with the client.
     * @throws StoreClosedException after the close.
     */
    public AsyncStore async()
    {
        synchronized (asyncLock)
        {
            if (context.isClosed())
            {
                throw new StoreClosedException(
                    "client was closed, build another", FailureContext.ofServer(context.addressText()));
            }
            if (worker == null)
            {
                worker = new AsyncWorker(context, AsyncThreads.share(), context.configuration().executor(), false);
                async = new AsyncFutures(context, new AsyncSubmission(context, worker));
            }
            return async;
        }
    }

    /**
     * Copies the whole table of a server that keeps it on disk, as it is at one moment: if a write that was
     * acknowledged before another one was begun is missing, then so is the other. Clients go on meanwhile. It takes as
     * long as it takes, whatever the deadline; one client at a time can have one.
     *
     * @param to       gets the backup, from which {@code kvctl restore} makes a table; stays open.
     * @param listener hears how far it is.
     * @return length of the backup in bytes.
     * @throws IOException             if it cannot be written there.
     * @throws StoreStorageException   if the server keeps its table in memory only, or its disk fails.
     * @throws StoreConnectException   if the server cannot be reached, or another client takes a backup.
     * @throws StoreAccessException    if the server refuses the token.
     * @throws StoreDisconnectedException if the server was lost before the backup was complete.
     */
    public long backup(final OutputStream to, final BackupListener listener) throws IOException
    {
        if (context.isClosed())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.ofServer(context.addressText()));
        }
        return new BackupTaker(context).take(to, listener);
    }

    /**
     * Opens a session outside the pool, for use by one thread at a time.
     *
     * @return a connected session; the caller closes it, before or after the client.
     * @throws StoreConnectException if no session can be had.
     * @throws StoreAccessException  if the server refuses the token.
     */
    public StoreSession openSession()
    {
        if (context.isClosed())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.ofServer(context.addressText()));
        }
        return new StoreSession(context, Operation.CONNECT, context.configuration().deadlineNs(), false);
    }

    /**
     * Ends running operations and all futures with {@link StoreClosedException}, closes the pool's sessions and waits
     * for the client's threads to end, but for those that callbacks keep: they end when these return. Takes 10 seconds
     * at most. If the calling thread is interrupted, it stays so, and the close goes on without it. Sessions of
     * {@link #openSession()} fail from here on, and stay to be closed by their owners. Does nothing if already closed.
     */
    @Override
    public void close()
    {
        final long endNs = ClientEnd.endNs();
        final ClientEnd end = beginClose();
        if (end != null)
        {
            end.await(endNs);
        }
    }

    /** Begins to close; what is to be waited for, or null if it was closed already. */
    ClientEnd beginClose()
    {
        if (!context.close())
        {
            return null;
        }
        final AsyncWorker running;
        synchronized (asyncLock)
        {
            running = worker;
        }
        return new ClientEnd(context, pool, Stream.of(joint == null ? null : joint.worker(), running)
            .filter(Objects::nonNull).toList()).begin();
    }

    /** The server's address. */
    @Override
    public String toString()
    {
        return "StoreClient[server=" + context.address() + ']';
    }
}
