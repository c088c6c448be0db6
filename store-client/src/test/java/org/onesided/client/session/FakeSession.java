package org.onesided.client.session;

import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.verbs.Context;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.ProtectionDomain;

/**
 * The parts that operations of a session share, attached to a {@link FakeServer}.
 */
public final class FakeSession implements AutoCloseable
{
    private final Counters counters = new Counters();
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final LargeBuffers memory;

    /**
     * @param durationNs of an operation, none of which has a long value.
     */
    public FakeSession(final long durationNs)
    {
        this(durationNs, null);
    }

    /**
     * @param durationNs of an operation.
     * @param context    of a device.
     * @param domain     where 1 MiB is registered for long values.
     */
    public FakeSession(final long durationNs, final Context context, final ProtectionDomain domain)
    {
        this(durationNs, new LargeBuffers(context, domain, HugePages.AUTO, 1 << 20, 1 << 20));
    }

    private FakeSession(final long durationNs, final LargeBuffers memory)
    {
        this.memory = memory;
        operation = new RunningOperation("connect", FakeServer.ADDRESS, durationNs);
        reconnector = new Reconnector(operation, new ReconnectPace(false, bound -> 0), seen -> seen, counters);
        buffers = new OperationBuffers(operation, reconnector, memory);
    }

    /**
     * @return its counters.
     */
    public Counters counters()
    {
        return counters;
    }

    /**
     * @param counter one of them.
     * @return its value.
     */
    public long count(final int counter)
    {
        return counters.get(counter);
    }

    /**
     * @return the operation that it carries out.
     */
    public RunningOperation operation()
    {
        return operation;
    }

    /**
     * @return what keeps it attached.
     */
    public Reconnector reconnector()
    {
        return reconnector;
    }

    /**
     * @return room for long values.
     */
    public OperationBuffers buffers()
    {
        return buffers;
    }

    /**
     * Attaches for the first time.
     *
     * @param requests of the session.
     * @return the server, which the caller closes after this.
     * @throws AttachFailedException never.
     */
    public FakeServer attach(final PendingRequests requests) throws AttachFailedException
    {
        return attach(requests, true);
    }

    /**
     * As {@link #attach(PendingRequests)}.
     *
     * @param requests     of the session.
     * @param takesBatches whether the server takes several puts in one message.
     * @return the server, which the caller closes after this.
     * @throws AttachFailedException never.
     */
    public FakeServer attach(final PendingRequests requests, final boolean takesBatches) throws AttachFailedException
    {
        final FakeServer server = new FakeServer(operation.deadline(), requests);
        server.takeBatches(takesBatches);
        reconnector.begin(server.attach(), server, requests);
        return server;
    }

    /** Loses the attachment. */
    public void lose()
    {
        reconnector.attachment().lose("test");
    }

    /** Ends the operation, as the session's core does. */
    public void endOperation()
    {
        operation.end();
        reconnector.endRequests();
    }

    @Override
    public void close()
    {
        operation.end();
        operation.close();
        reconnector.close();
        if (memory != null)
        {
            memory.close();
        }
    }
}
