package org.onesided.client;

import java.nio.ByteBuffer;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A client of one store. Thread-safe: it lends sessions from a bounded pool to the threads that call it, and
 * reconnects by itself.
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
    private final SessionPool pool = new SessionPool();

    private StoreClient(final ClientConfiguration configuration)
    {
        throw new UnsupportedOperationException(configuration.toString());
    }

    /**
     * @return a builder with the defaults.
     */
    public static StoreClientBuilder builder()
    {
        return new StoreClientBuilder();
    }

    static StoreClient connect(final ClientConfiguration configuration)
    {
        return new StoreClient(configuration);
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
        final StoreSession session = pool.borrow();
        try
        {
            return function.apply(session);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    /**
     * Opens a session outside the pool, for use by one thread at a time.
     *
     * @return a connected session; the caller closes it, before or after the client.
     * @throws StoreConnectException  if no session can be had.
     * @throws StoreAccessException   if the server refuses the token.
     * @throws StoreDeadlineException if the server does not answer in time.
     */
    public StoreSession openSession()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] get(final byte[] key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.get(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public String get(final String key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.get(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean getUsing(final Bytes<?> key, final Bytes<?> value)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.getUsing(key, value);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.get(key, keyOffset, keyLength, value, valueOffset);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public int get(final ByteBuffer key, final ByteBuffer value)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.get(key, value);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void put(final byte[] key, final byte[] value)
    {
        final StoreSession session = pool.borrow();
        try
        {
            session.put(key, value);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void put(final String key, final String value)
    {
        final StoreSession session = pool.borrow();
        try
        {
            session.put(key, value);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void put(final ByteBuffer key, final ByteBuffer value)
    {
        final StoreSession session = pool.borrow();
        try
        {
            session.put(key, value);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        final StoreSession session = pool.borrow();
        try
        {
            session.put(key, keyOffset, keyLength, value, valueOffset, valueLength);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void put(final Bytes<?> key, final Bytes<?> value)
    {
        final StoreSession session = pool.borrow();
        try
        {
            session.put(key, value);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean delete(final byte[] key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.delete(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean delete(final String key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.delete(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean delete(final ByteBuffer key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.delete(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.delete(key, keyOffset, keyLength);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean delete(final Bytes<?> key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.delete(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean contains(final byte[] key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.contains(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean contains(final String key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.contains(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean contains(final ByteBuffer key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.contains(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean contains(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.contains(key, keyOffset, keyLength);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean contains(final Bytes<?> key)
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.contains(key);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void scan(final EntryConsumer consumer)
    {
        final StoreSession session = pool.borrow();
        try
        {
            session.scan(consumer);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public List<ShardStatistics> statistics()
    {
        final StoreSession session = pool.borrow();
        try
        {
            return session.statistics();
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public ClientStatistics clientStatistics()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public ServerInfo server()
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends running operations with {@link StoreClosedException}, closes the pool's sessions and waits for the client's
     * thread to end. Sessions of {@link #openSession()} fail from here on, and stay to be closed by their owners.
     * Does nothing if already closed.
     */
    @Override
    public void close()
    {
        throw new UnsupportedOperationException();
    }
}
