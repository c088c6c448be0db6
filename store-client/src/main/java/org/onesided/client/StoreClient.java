package org.onesided.client;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreClient.class);
    /** How long {@link #close} waits for lent sessions; those that come later close themselves. */
    private static final long CLOSE_TIMEOUT_NS = 5_000_000_000L;

    private final ClientContext context;
    private final SessionPool pool;

    private StoreClient(final ClientContext context)
    {
        this.context = context;
        pool = new SessionPool(
            context,
            (operation, deadlineNs) -> new StoreSession(context, operation, deadlineNs, true),
            context.configuration().maxSessions());
    }

    /**
     * @return a builder with the defaults.
     * @throws UnsupportedOperationException if the JVM lacks an option that the library needs; the message names it.
     */
    public static StoreClientBuilder builder()
    {
        LibraryRequirements.check();
        return new StoreClientBuilder();
    }

    /** Opens the device and connects a first session; where the choice is open, with a device that the server has. */
    static StoreClient connect(final ClientConfiguration configuration)
    {
        final HostAndPort address = HostAndPort.parse(configuration.server());
        final DeviceChoice choice = choice(configuration, address);
        while (true)
        {
            final StoreClient client = new StoreClient(open(configuration, address, choice));
            try
            {
                client.pool.giveBack(client.pool.borrow(Operation.CONNECT));
                LOGGER.debug("connected: server={} device={}: {}",
                    address, client.server().device(), client.context.device().device().why());
                return client;
            }
            catch (final RuntimeException e)
            {
                client.close();
                if (!isOtherDevice(e) || !choice.isAuto())
                {
                    throw e;
                }
                choice.refused(e.getCause().getMessage());
            }
        }
    }

    private static boolean isOtherDevice(final RuntimeException e)
    {
        return e.getCause() instanceof AttachFailedException &&
            ((AttachFailedException)e.getCause()).kind() == AttachFailedException.Kind.DEVICE;
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
        final StoreSession session = pool.borrow(Operation.WITH_SESSION);
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
     * @throws StoreConnectException if no session can be had.
     * @throws StoreAccessException  if the server refuses the token.
     */
    public StoreSession openSession()
    {
        if (context.isClosed())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.ofServer(context.address().toString()));
        }
        return new StoreSession(context, Operation.CONNECT, context.configuration().deadlineNs(), false);
    }

    @Override
    public byte[] get(final byte[] key)
    {
        final StoreSession session = pool.borrow(Operation.GET);
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
        final StoreSession session = pool.borrow(Operation.GET);
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
        final StoreSession session = pool.borrow(Operation.GET);
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
        final StoreSession session = pool.borrow(Operation.GET);
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
        final StoreSession session = pool.borrow(Operation.GET);
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
    public void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        final StoreSession session = pool.borrow(Operation.GET_ALL);
        try
        {
            session.getAll(keys, consumer);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void put(final byte[] key, final byte[] value)
    {
        final StoreSession session = pool.borrow(Operation.PUT);
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
        final StoreSession session = pool.borrow(Operation.PUT);
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
        final StoreSession session = pool.borrow(Operation.PUT);
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
        final StoreSession session = pool.borrow(Operation.PUT);
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
        final StoreSession session = pool.borrow(Operation.PUT);
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
    public void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        final StoreSession session = pool.borrow(Operation.PUT_ALL);
        try
        {
            session.putAll(keys, values);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public void putAll(final Map<String, String> pairs)
    {
        final StoreSession session = pool.borrow(Operation.PUT_ALL);
        try
        {
            session.putAll(pairs);
        }
        finally
        {
            pool.giveBack(session);
        }
    }

    @Override
    public boolean delete(final byte[] key)
    {
        final StoreSession session = pool.borrow(Operation.DELETE);
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
        final StoreSession session = pool.borrow(Operation.DELETE);
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
        final StoreSession session = pool.borrow(Operation.DELETE);
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
        final StoreSession session = pool.borrow(Operation.DELETE);
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
        final StoreSession session = pool.borrow(Operation.DELETE);
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
        final StoreSession session = pool.borrow(Operation.CONTAINS);
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
        final StoreSession session = pool.borrow(Operation.CONTAINS);
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
        final StoreSession session = pool.borrow(Operation.CONTAINS);
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
        final StoreSession session = pool.borrow(Operation.CONTAINS);
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
        final StoreSession session = pool.borrow(Operation.CONTAINS);
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
        final StoreSession session = pool.borrow(Operation.SCAN);
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
        final StoreSession session = pool.borrow(Operation.STATISTICS);
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
        return context.statistics();
    }

    @Override
    public ServerInfo server()
    {
        return context.server();
    }

    /**
     * Ends running operations with {@link StoreClosedException}, closes the pool's sessions and waits for the client's
     * thread to end. Sessions of {@link #openSession()} fail from here on, and stay to be closed by their owners.
     * Does nothing if already closed.
     */
    @Override
    public void close()
    {
        if (!context.close())
        {
            return;
        }
        pool.close();
        if (!pool.awaitReturn(CLOSE_TIMEOUT_NS))
        {
            LOGGER.warn("client was closed while sessions are lent: server={}", context.address());
        }
        context.lifeLine().close();
        context.device().release();
    }

    /** The server's address. */
    @Override
    public String toString()
    {
        return "StoreClient[server=" + context.address() + ']';
    }

    private static DeviceChoice choice(final ClientConfiguration configuration, final HostAndPort address)
    {
        try
        {
            final boolean isLocal = DeviceChoice.AUTO.equals(configuration.device()) && address.isThisHost();
            return new DeviceChoice(configuration.device(), configuration.connection(), isLocal);
        }
        catch (final UnknownHostException e)
        {
            throw new StoreConnectException(
                "no such host: host=" + address.host(), FailureContext.ofServer(address.toString()), e);
        }
        catch (final VerbsException e)
        {
            throw unusable(address, e);
        }
    }

    private static ClientContext open(
        final ClientConfiguration configuration, final HostAndPort address, final DeviceChoice choice)
    {
        final ClientDevice device;
        try
        {
            device = ClientDevice.open(choice, configuration.hugePages());
        }
        catch (final VerbsException e)
        {
            throw unusable(address, e);
        }
        LifeLine lifeLine = null;
        try
        {
            lifeLine = new LifeLine(address.toString());
            final ClientContext context = new ClientContext(configuration, address, device, lifeLine);
            device.watch(address.toString(), new DeviceEvents(context));
            return context;
        }
        catch (final RuntimeException | Error e)
        {
            if (lifeLine != null)
            {
                lifeLine.close();
            }
            device.release();
            throw e;
        }
        catch (final IOException e)
        {
            device.release();
            throw new StoreConnectException(
                "no thread for heartbeats: " + e.getMessage(), FailureContext.ofServer(address.toString()), e);
        }
    }

    private static StoreConnectException unusable(final HostAndPort address, final VerbsException e)
    {
        return new StoreConnectException(
            "device cannot be used: " + e.getMessage(), FailureContext.ofServer(address.toString()), e);
    }
}
