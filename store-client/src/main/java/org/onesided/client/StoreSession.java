package org.onesided.client;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.read.Reads;
import org.onesided.client.read.SessionGets;
import org.onesided.client.read.SessionScan;
import org.onesided.client.read.SessionWarmUp;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.SessionStatistics;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.request.WriteTerms;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.Deadline;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
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

/**
 * One connection with a server: its queue pairs and buffers. It reconnects by itself. For one thread at a time; only
 * {@link #server()}, {@link #clientStatistics()} and {@link #toString()} may be called concurrently.
 */
public final class StoreSession implements StoreOperations, AutoCloseable
{
    private final SessionCore core;
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final OperationStart start;
    private final RequestEngine engine;
    private final Reads reads;
    private final SessionGets gets;
    private final FoundValue found;
    private final SessionWrites writes;
    private final StartedWrites started;
    private final GivenValue given;
    private final SessionBatches batches;
    private final boolean isPooled;
    private final long defaultNs;
    private @Nullable AsyncSession async;

    /**
     * Connects, or fails where that fails.
     *
     * @param first      operation that it is for.
     * @param deadlineNs nanoseconds that it may take.
     * @param isPooled   whether {@link #close} is the pool's business.
     */
    StoreSession(
        final ClientContext context, final String first, final long deadlineNs, final boolean isPooled)
    {
        this(context, first, deadlineNs, isPooled, isPooled);
    }

    /**
     * As above.
     *
     * @param isSpare whether others do as well, so that a server without room is asked once.
     */
    StoreSession(
        final ClientContext context, final String first, final long deadlineNs, final boolean isPooled,
        final boolean isSpare)
    {
        this.isPooled = isPooled;
        defaultNs = context.configuration().deadlineNs();
        core = new SessionCore(context, first);
        operation = core.operation();
        reconnector = core.reconnector();
        start = new OperationStart(core);
        engine = new RequestEngine(operation, reconnector, core.counters());
        reads = new Reads(core);
        gets = new SessionGets(core, reads, engine.requests());
        found = new FoundValue(core, gets);
        writes = new SessionWrites(operation, reconnector, core.buffers(), engine);
        started = new StartedWrites(core, engine, writes);
        given = new GivenValue(core, writes);
        batches = new SessionBatches(core, start, engine, gets, writes);
        core.open(deadlineNs, isSpare, engine.requests(), Reads.DEMAND);
    }

    /**
     * READs the table's buckets in bulk, as far as the mirror has room, so that lookups need only one READ each from
     * the start.
     *
     * @return how many buckets were read.
     */
    public long warmUp()
    {
        operation.begin(Operation.WARM_UP);
        try
        {
            return new SessionWarmUp(core).run();
        }
        finally
        {
            core.endOperation();
        }
    }

    /**
     * Gives the session's asynchronous view, which it has once.
     *
     * @param listener gets what becomes of the view's operations.
     * @return the view; it ends with the session.
     * @throws IllegalStateException if the session has one already, or is lent by a client's pool: open a session of
     *                               its own.
     */
    public AsyncSession async(final AsyncListener listener)
    {
        return async(listener, () -> false);
    }

    /**
     * As {@link #async(AsyncListener)}.
     *
     * @param hasMore whether there is more to begin, so that waiting ends.
     */
    AsyncSession async(final AsyncListener listener, final BooleanSupplier hasMore)
    {
        Objects.requireNonNull(listener, "listener");
        if (isPooled || async != null)
        {
            throw new IllegalStateException(isPooled ?
                "session is lent by a pool, open one of its own for an asynchronous view: session=" + this :
                "session has its asynchronous view already: session=" + this);
        }
        async = new AsyncSession(core, engine, gets, writes, listener, hasMore);
        return async;
    }

    @Override
    public byte @Nullable [] get(final byte[] key)
    {
        start.on(Operation.GET, key);
        return found.copy();
    }

    @Override
    public @Nullable String get(final String key)
    {
        start.on(Operation.GET, start.text(Operation.GET, key, "key"));
        final byte[] value = found.copy();
        final String text = value == null ? null : Utf8.decode(value);
        if (value != null && text == null)
        {
            throw new StoreLimitException(
                "value is not valid UTF-8, get it as bytes: length=" + value.length, operation.failure(WriteFate.NONE));
        }
        return text;
    }

    @Override
    public boolean getUsing(final Bytes<?> key, final Bytes<?> value)
    {
        start.on(Operation.GET, key);
        return found.copyTo(value);
    }

    @Override
    public int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        start.on(Operation.GET, key, keyOffset, keyLength);
        return found.copyTo(value, valueOffset);
    }

    @Override
    public int get(final ByteBuffer key, final ByteBuffer value)
    {
        if (value.isReadOnly())
        {
            throw new ReadOnlyBufferException();
        }
        start.on(Operation.GET, key);
        return found.copyTo(value);
    }

    @Override
    public @Nullable VersionedValue<byte[]> getVersioned(final byte[] key)
    {
        start.on(Operation.GET, key);
        return found.copyVersioned();
    }

    @Override
    public int getVersioned(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset, final MutableVersion version)
    {
        start.on(Operation.GET, key, keyOffset, keyLength);
        return found.copyTo(value, valueOffset, version);
    }

    @Override
    public void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        batches.getAll(keys, consumer);
    }

    @Override
    public void put(final byte[] key, final byte[] value)
    {
        Objects.requireNonNull(value, "value");
        start.on(Operation.PUT, key);
        given.put(value);
    }

    @Override
    public void put(final String key, final String value)
    {
        put(start.text(Operation.PUT, key, "key"), start.text(Operation.PUT, value, "value"));
    }

    @Override
    public void put(final ByteBuffer key, final ByteBuffer value)
    {
        Objects.requireNonNull(value, "value");
        start.on(Operation.PUT, key);
        given.put(value);
    }

    @Override
    public void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        value.boundsCheck(valueOffset, valueLength);
        start.on(Operation.PUT, key, keyOffset, keyLength);
        given.put(value, valueOffset, valueLength);
    }

    @Override
    public void put(final Bytes<?> key, final Bytes<?> value)
    {
        Objects.requireNonNull(value, "value");
        start.on(Operation.PUT, key);
        given.put(value);
    }

    @Override
    public boolean put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final PutOptions options, final MutableVersion version)
    {
        final WriteTerms terms = WriteTerms.of(options);
        Objects.requireNonNull(version, "version");
        value.boundsCheck(valueOffset, valueLength);
        start.on(Operation.PUT, key, keyOffset, keyLength);
        return given.put(terms, value, valueOffset, valueLength, version);
    }

    @Override
    public WriteOutcome deleteIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Version version)
    {
        final WriteTerms terms = WriteTerms.ofDelete(version);
        start.on(Operation.DELETE, key, keyOffset, keyLength);
        return started.deleteIf(terms);
    }

    @Override
    public byte @Nullable [] update(final byte[] key, final UnaryOperator<byte @Nullable []> function)
    {
        Objects.requireNonNull(function, "function");
        return new OptimisticUpdate(this, operation).run(key, function);
    }

    @Override
    public long increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial,
        final Expiry expiry, final @Nullable MutableVersion version)
    {
        final WriteTerms terms = WriteTerms.of(expiry);
        start.on(Operation.INCREMENT, key, keyOffset, keyLength);
        return started.increment(delta, initial, terms, version);
    }

    @Override
    public int append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Expiry expiry, final @Nullable MutableVersion version)
    {
        final WriteTerms terms = WriteTerms.of(expiry);
        value.boundsCheck(valueOffset, valueLength);
        start.on(Operation.APPEND, key, keyOffset, keyLength);
        return given.append(value, valueOffset, valueLength, terms, version);
    }

    @Override
    public boolean touch(final DirectBuffer key, final int keyOffset, final int keyLength, final Expiry expiry)
    {
        final WriteTerms terms = WriteTerms.ofTouch(expiry);
        start.on(Operation.TOUCH, key, keyOffset, keyLength);
        return started.touch(terms);
    }

    @Override
    public @Nullable TimeToLive ttl(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        start.on(Operation.TTL, key, keyOffset, keyLength);
        return started.ttl();
    }

    @Override
    public void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        batches.putAll(keys, values);
    }

    @Override
    public List<WriteOutcome> putAll(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        return batches.putAll(keys, values, options);
    }

    @Override
    public int deleteAll(final List<byte[]> keys)
    {
        return batches.deleteAll(keys);
    }

    @Override
    public void putAll(final Map<String, String> pairs)
    {
        batches.putAll(pairs);
    }

    @Override
    public boolean delete(final byte[] key)
    {
        start.on(Operation.DELETE, key);
        return started.delete();
    }

    @Override
    public boolean delete(final String key)
    {
        start.on(Operation.DELETE, start.text(Operation.DELETE, key, "key"));
        return started.delete();
    }

    @Override
    public boolean delete(final ByteBuffer key)
    {
        start.on(Operation.DELETE, key);
        return started.delete();
    }

    @Override
    public boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        start.on(Operation.DELETE, key, keyOffset, keyLength);
        return started.delete();
    }

    @Override
    public boolean delete(final Bytes<?> key)
    {
        start.on(Operation.DELETE, key);
        return started.delete();
    }

    @Override
    public boolean contains(final byte[] key)
    {
        start.on(Operation.CONTAINS, key);
        return found.isPresent();
    }

    @Override
    public boolean contains(final String key)
    {
        start.on(Operation.CONTAINS, start.text(Operation.CONTAINS, key, "key"));
        return found.isPresent();
    }

    @Override
    public boolean contains(final ByteBuffer key)
    {
        start.on(Operation.CONTAINS, key);
        return found.isPresent();
    }

    @Override
    public boolean contains(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        start.on(Operation.CONTAINS, key, keyOffset, keyLength);
        return found.isPresent();
    }

    @Override
    public boolean contains(final Bytes<?> key)
    {
        start.on(Operation.CONTAINS, key);
        return found.isPresent();
    }

    @Override
    public boolean scanWhile(final byte[] prefix, final Predicate<? super ScannedEntry> visitor)
    {
        final SessionScan scan = new SessionScan(core, reads, prefix, visitor);
        operation.begin(Operation.SCAN);
        try
        {
            return scan.run();
        }
        finally
        {
            core.endOperation();
        }
    }

    @Override
    public List<ShardStatistics> statistics()
    {
        return ask(SessionStatistics::ask);
    }

    @Override
    public List<ShardStatistics> snapshot()
    {
        return ask(SessionStatistics::snapshot);
    }

    /**
     * Asks the server for one shard's counters, with one request: the round trip of one that changes nothing.
     *
     * @param shard from 0, below {@link ServerInfo#shards}.
     * @return its counters.
     * @throws IllegalArgumentException if there is no such shard.
     */
    public ShardStatistics statistics(final int shard)
    {
        return ask(statistics -> statistics.ask(shard));
    }

    @Override
    public ClientStatistics reportedStatistics()
    {
        return ask(SessionStatistics::reported);
    }

    @Override
    public StoreOperations within(final Duration deadline)
    {
        return new LentOperations(new OwnSession(this, operation, defaultNs, Deadline.checked(deadline)), null);
    }

    @Override
    public ClientStatistics clientStatistics()
    {
        return core.counters().statistics();
    }

    @Override
    public ServerInfo server()
    {
        return reconnector.server();
    }

    /**
     * Ends the session with the server and frees its buffers. What is in flight in its asynchronous view fails with
     * {@link StoreClosedException}, of which its listener is told. Does nothing if already closed, or for a session
     * lent by a client's pool, which closes it itself.
     *
     * @throws IllegalStateException if it is in the midst of an operation.
     */
    @Override
    public void close()
    {
        if (!isPooled)
        {
            end();
        }
    }

    /** The server's address, and whether there is a connection. */
    @Override
    public String toString()
    {
        return "StoreSession[server=" + operation.server() + ", attached=" + reconnector.isAttached() + ']';
    }

    /** Whether the session is attached, as far as is known. Safe to call from any thread. */
    boolean isAttached()
    {
        return reconnector.isAttached();
    }

    /** Subtracts the time that the next operation's caller has already waited. */
    void spend(final long durationNs)
    {
        operation.spend(durationNs);
    }

    SessionBatches batches()
    {
        return batches;
    }

    /** Sets how long each operation may take from now on, in nanoseconds. */
    void allow(final long durationNs)
    {
        operation.allow(durationNs);
    }

    /** Wakes the session's thread to check its condition again. Safe to call from any thread. */
    void wakeUp()
    {
        final Attachment attachment = reconnector.attachment();
        if (attachment != null)
        {
            attachment.loop().wakeUp();
        }
    }

    /** Closes the session, also while it is lent. */
    void end()
    {
        try
        {
            if (async != null)
            {
                async.close();
            }
        }
        finally
        {
            core.close();
        }
    }

    private <T> T ask(final Function<SessionStatistics, T> question)
    {
        operation.begin(Operation.STATISTICS);
        try
        {
            return question.apply(new SessionStatistics(core, engine.requests()));
        }
        finally
        {
            core.endOperation();
        }
    }
}
