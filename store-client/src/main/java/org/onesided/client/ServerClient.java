package org.onesided.client;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.stream.Stream;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.pool.SessionPool;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.BackupListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of one server. Thread-safe: it lends sessions from a bounded pool to the threads that call it, and
 * reconnects by itself. Over the device {@code tcp}, threads that find all sessions lent have their operations carried
 * out together; then calls allocate that do not otherwise.
 */
final class ServerClient extends LentOperations implements StoreClient
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreClient.class);

    private final ClientContext context;
    private final SessionPool<LentSession> pool;
    private final LentSessions sessions;
    /** Null on a device where joint requests cost as much as single ones. */
    private final JointOperations joint;
    private final Object asyncLock = new Object();
    private AsyncWorker worker;
    private AsyncSubmission submission;
    private AsyncStore async;

    /** @param context whose device is open; it ends with the client. */
    ServerClient(final ClientContext context)
    {
        this(context, new SessionPool<>(
            context,
            (operation, deadlineNs) -> new LentSession(new StoreSession(context, operation, deadlineNs, true)),
            busySessions(context),
            context.configuration().maxSessions()));
    }

    /**
     * How many sessions keep the processors busy. Where requests cost system calls, an operation takes several switches
     * of threads, and twice as many threads as processors keep these busy meanwhile.
     */
    private static int busySessions(final ClientContext context)
    {
        return Runtime.getRuntime().availableProcessors() * (context.device().device().gathersRequests() ? 2 : 1);
    }

    private ServerClient(final ClientContext context, final SessionPool<LentSession> pool)
    {
        this(context, pool, new PoolSessions(context, pool, context.configuration().deadlineNs()),
            isJoint(context) ? new JointOperations(context, pool) : null);
    }

    /** A lookup that waits for a lease must not hold others up. */
    private static boolean isJoint(final ClientContext context)
    {
        return context.device().device().gathersRequests() && !context.destination().isMoving();
    }

    private ServerClient(
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

    /** Lends a session for one operation, which may take so many nanoseconds, this call included. */
    LentSession borrow(final String operation, final long durationNs)
    {
        return sessions.within(durationNs).borrow(operation);
    }

    void giveBack(final LentSession lent)
    {
        sessions.giveBack(lent);
    }

    @Override
    public <T> T withSession(final SessionFunction<T> function)
    {
        return sessions.apply(Operation.WITH_SESSION, function, (session, of) -> of.apply(session));
    }

    @Override
    public AsyncStore async()
    {
        synchronized (asyncLock)
        {
            final AsyncSubmission to = submission();
            if (async == null)
            {
                async = new AsyncFutures(to);
            }
            return async;
        }
    }

    /** Takes asynchronous operations with the client's deadline. */
    AsyncSubmission submission()
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
                submission = new WorkerSubmission(context, worker);
            }
            return submission;
        }
    }

    @Override
    public long backup(final OutputStream to, final BackupListener listener) throws IOException
    {
        if (context.isClosed())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.ofServer(context.addressText()));
        }
        return new BackupTaker(context).take(to, listener);
    }

    @Override
    public StoreSession openSession()
    {
        if (context.isClosed())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.ofServer(context.addressText()));
        }
        return new StoreSession(context, Operation.CONNECT, context.configuration().deadlineNs(), false);
    }

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

    @Override
    public boolean isCluster()
    {
        return false;
    }

    /** The server's address. */
    @Override
    public String toString()
    {
        return "StoreClient[server=" + context.address() + ']';
    }
}
