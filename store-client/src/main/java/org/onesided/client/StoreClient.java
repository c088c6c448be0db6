package org.onesided.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
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
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ScannedEntry;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;
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
public final class StoreClient implements StoreOperations, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreClient.class);

    private final ClientContext context;
    private final SessionPool<PooledSession> pool;
    private final LentSessions sessions;
    /** Null on a device where joint requests cost as much as single ones. */
    private final JointOperations joint;
    private final Object asyncLock = new Object();
    private AsyncWorker worker;
    private AsyncStore async;

    /** @param context whose device is open; it ends with the client. */
    StoreClient(final ClientContext context)
    {
        this.context = context;
        pool = new SessionPool<>(
            context,
            (operation, deadlineNs) -> new PooledSession(new StoreSession(context, operation, deadlineNs, true)),
            context.configuration().maxSessions());
        sessions = new LentSessions(pool);
        joint = context.device().device().gathersRequests() ? new JointOperations(context) : null;
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

    /** Connects a first session. */
    void begin()
    {
        pool.giveBack(pool.borrow(Operation.CONNECT));
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
                async = new AsyncFutures(context, worker);
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

    @Override
    public byte[] get(final byte[] key)
    {
        return tryJoin() ? joint.get(key) : sessions.apply(Operation.GET, key, (session, of) -> session.get(of));
    }

    @Override
    public String get(final String key)
    {
        return tryJoin() ? joint.get(key) : sessions.apply(Operation.GET, key, (session, of) -> session.get(of));
    }

    @Override
    public boolean getUsing(final Bytes<?> key, final Bytes<?> value)
    {
        return sessions.test(Operation.GET, key, value, (session, of, into) -> session.getUsing(of, into));
    }

    @Override
    public int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        if (tryJoin())
        {
            return joint.get(key, keyOffset, keyLength, value, valueOffset);
        }
        final PooledSession lent = pool.borrow(Operation.GET);
        try
        {
            return lent.session().get(key, keyOffset, keyLength, value, valueOffset);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public int get(final ByteBuffer key, final ByteBuffer value)
    {
        if (tryJoin())
        {
            return joint.get(key, value);
        }
        final PooledSession lent = pool.borrow(Operation.GET);
        try
        {
            return lent.session().get(key, value);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public VersionedValue<byte[]> getVersioned(final byte[] key)
    {
        return sessions.apply(Operation.GET, key, (session, of) -> session.getVersioned(of));
    }

    @Override
    public int getVersioned(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset, final MutableVersion version)
    {
        final PooledSession lent = pool.borrow(Operation.GET);
        try
        {
            return lent.session().getVersioned(key, keyOffset, keyLength, value, valueOffset, version);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        sessions.accept(Operation.GET_ALL, keys, consumer, (session, all, to) -> session.getAll(all, to));
    }

    @Override
    public void put(final byte[] key, final byte[] value)
    {
        if (tryJoin(value.length))
        {
            joint.put(key, value);
        }
        else
        {
            sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
        }
    }

    @Override
    public void put(final String key, final String value)
    {
        // A character has up to three bytes.
        if (tryJoin(3L * value.length()))
        {
            joint.put(key, value);
        }
        else
        {
            sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
        }
    }

    @Override
    public void put(final ByteBuffer key, final ByteBuffer value)
    {
        if (tryJoin(value.remaining()))
        {
            joint.put(key, value);
        }
        else
        {
            sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
        }
    }

    @Override
    public void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        if (tryJoin(valueLength))
        {
            joint.put(key, keyOffset, keyLength, value, valueOffset, valueLength);
            return;
        }
        final PooledSession lent = pool.borrow(Operation.PUT);
        try
        {
            lent.session().put(key, keyOffset, keyLength, value, valueOffset, valueLength);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public void put(final Bytes<?> key, final Bytes<?> value)
    {
        sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
    }

    @Override
    public boolean put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final PutOptions options, final MutableVersion version)
    {
        final PooledSession lent = pool.borrow(Operation.PUT);
        try
        {
            return lent.session().put(key, keyOffset, keyLength, value, valueOffset, valueLength, options, version);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public WriteOutcome deleteIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Version version)
    {
        return sessions.apply(Operation.DELETE, key,
            (session, of) -> session.deleteIfVersion(of, keyOffset, keyLength, version));
    }

    @Override
    public byte[] update(final byte[] key, final UnaryOperator<byte[]> function)
    {
        return sessions.apply(Operation.UPDATE, key, (session, of) -> session.update(of, function));
    }

    @Override
    public long increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial,
        final Expiry expiry, final MutableVersion version)
    {
        final PooledSession lent = pool.borrow(Operation.INCREMENT);
        try
        {
            return lent.session().increment(key, keyOffset, keyLength, delta, initial, expiry, version);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public int append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Expiry expiry, final MutableVersion version)
    {
        final PooledSession lent = pool.borrow(Operation.APPEND);
        try
        {
            return lent.session().append(
                key, keyOffset, keyLength, value, valueOffset, valueLength, expiry, version);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public boolean touch(final DirectBuffer key, final int keyOffset, final int keyLength, final Expiry expiry)
    {
        return sessions.apply(
            Operation.TOUCH, key, (session, of) -> session.touch(of, keyOffset, keyLength, expiry));
    }

    @Override
    public TimeToLive ttl(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return sessions.apply(Operation.TTL, key, (session, of) -> session.ttl(of, keyOffset, keyLength));
    }

    @Override
    public void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        sessions.accept(Operation.PUT_ALL, keys, values, (session, all, to) -> session.putAll(all, to));
    }

    @Override
    public List<WriteOutcome> putAll(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        return sessions.apply(Operation.PUT_ALL, keys, (session, all) -> session.putAll(all, values, options));
    }

    @Override
    public int deleteAll(final List<byte[]> keys)
    {
        return sessions.apply(Operation.DELETE_ALL, keys, StoreSession::deleteAll);
    }

    @Override
    public void putAll(final Map<String, String> pairs)
    {
        sessions.accept(Operation.PUT_ALL, pairs, null, (session, all, none) -> session.putAll(all));
    }

    @Override
    public boolean delete(final byte[] key)
    {
        return tryJoin() ? joint.delete(key) :
            sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean delete(final String key)
    {
        return tryJoin() ? joint.delete(key) :
            sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean delete(final ByteBuffer key)
    {
        return tryJoin() ? joint.delete(key) :
            sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        if (tryJoin())
        {
            return joint.delete(key, keyOffset, keyLength);
        }
        final PooledSession lent = pool.borrow(Operation.DELETE);
        try
        {
            return lent.session().delete(key, keyOffset, keyLength);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public boolean delete(final Bytes<?> key)
    {
        return sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean contains(final byte[] key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean contains(final String key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean contains(final ByteBuffer key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean contains(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        final PooledSession lent = pool.borrow(Operation.CONTAINS);
        try
        {
            return lent.session().contains(key, keyOffset, keyLength);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    @Override
    public boolean contains(final Bytes<?> key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean scanWhile(final byte[] prefix, final Predicate<? super ScannedEntry> visitor)
    {
        return sessions.test(Operation.SCAN, prefix, visitor, (session, of, to) -> session.scanWhile(of, to));
    }

    @Override
    public List<ShardStatistics> statistics()
    {
        return sessions.apply(Operation.STATISTICS, null, (session, none) -> session.statistics());
    }

    @Override
    public List<ShardStatistics> snapshot()
    {
        return sessions.apply(Operation.STATISTICS, null, (session, none) -> session.snapshot());
    }

    @Override
    public ClientStatistics reportedStatistics()
    {
        return sessions.apply(Operation.STATISTICS, null, (session, none) -> session.reportedStatistics());
    }

    @Override
    public ClientStatistics clientStatistics()
    {
        return context.statistics();
    }

    @Override
    public ServerInfo server()
    {
        return context.server();
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
        if (!context.close())
        {
            return;
        }
        final AsyncWorker running;
        synchronized (asyncLock)
        {
            running = worker;
        }
        new ClientEnd(context, pool, Stream.of(joint == null ? null : joint.worker(), running)
            .filter(Objects::nonNull).toList()).run();
    }

    /** The server's address. */
    @Override
    public String toString()
    {
        return "StoreClient[server=" + context.address() + ']';
    }

    /** Whether an operation joins those of other threads. Opens their session if it is missing. */
    private boolean tryJoin()
    {
        return joint != null && joint.tryAdmit(pool);
    }

    /** The same for a put of a value of so many bytes. */
    private boolean tryJoin(final long valueLength)
    {
        return joint != null && joint.takes(valueLength) && tryJoin();
    }
}
