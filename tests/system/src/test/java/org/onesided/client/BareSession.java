package org.onesided.client;

import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.read.Reads;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.Requests;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.ClientDevice;
import org.onesided.client.session.LifeLine;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.Waiting;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;

/**
 * A session without the API around it. For one thread at a time.
 */
public final class BareSession implements AutoCloseable
{
    private static final long CONTEXT_DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    private final SessionCore core;
    private final RequestEngine engine;
    private final SessionWrites writes;

    /**
     * Connects.
     *
     * @param context    of a client.
     * @param deadlineNs nanoseconds that it may take.
     */
    public BareSession(final ClientContext context, final long deadlineNs)
    {
        core = new SessionCore(context, Operation.CONNECT);
        engine = new RequestEngine(core.operation(), core.reconnector(), core.counters());
        writes = new SessionWrites(core.operation(), core.reconnector(), core.buffers(), engine);
        core.open(deadlineNs, false, engine.requests(), Reads.DEMAND);
    }

    /**
     * @return what its operations share.
     */
    public SessionCore core()
    {
        return core;
    }

    /**
     * @return what carries out its writes.
     */
    public RequestEngine engine()
    {
        return engine;
    }

    /**
     * @return its requests.
     */
    public Requests requests()
    {
        return engine.requests();
    }

    /**
     * Puts a value, in an operation of its own.
     *
     * @param key   of ASCII.
     * @param value of any length.
     */
    public void put(final String key, final byte[] value)
    {
        core.operation().begin(Operation.PUT, key.length());
        try
        {
            core.operation().keySpace().putStringWithoutLengthAscii(0, key);
            writes.put(value, BufferUtil.ARRAY_BASE_OFFSET, value.length);
        }
        finally
        {
            core.endOperation();
        }
    }

    /**
     * Makes what sessions of one client share, for shared memory; the caller closes it, its life line and its device.
     *
     * @param address of the server.
     * @return the context.
     * @throws Exception if it cannot.
     */
    public static ClientContext context(final String address) throws Exception
    {
        final ClientConfiguration configuration = new ClientConfiguration(
            address, new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION, CONTEXT_DEADLINE_NS, 1, 1 << 20,
            HugePages.AUTO, Waiting.DEFAULT, (before, now) -> { }, null);
        final DeviceChoice choice = new DeviceChoice("shm", StoreClientBuilder.DEFAULT_CONNECTION, true);
        return new ClientContext(
            configuration, HostAndPort.parse(address), ClientDevice.open(choice, HugePages.AUTO, 1), LifeLine.share());
    }

    @Override
    public void close()
    {
        core.close();
    }
}
