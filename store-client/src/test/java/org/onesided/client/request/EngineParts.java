package org.onesided.client.request;

import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.TestMemory;

/**
 * An engine and its single writes, attached to a server that is the test. The key is {@code key}.
 */
final class EngineParts implements AutoCloseable
{
    final FakeSession session;
    final RunningOperation operation;
    final Reconnector reconnector;
    final RequestEngine engine;
    final StagedWrites staged;
    final SessionWrites writes;
    final FakeServer server;

    EngineParts(final FakeSession session) throws AttachFailedException
    {
        this(session, true);
    }

    /** With a server that takes several puts in one message, or does not. */
    EngineParts(final FakeSession session, final boolean takesBatches) throws AttachFailedException
    {
        this.session = session;
        operation = session.operation();
        reconnector = session.reconnector();
        engine = new RequestEngine(operation, reconnector, session.counters());
        staged = new StagedWrites(operation, reconnector, engine);
        writes = new SessionWrites(operation, reconnector, session.buffers(), engine);
        server = session.attach(engine.requests(), takesBatches);
        operation.keySpace().putBytes(0, TestMemory.bytes("key"));
    }

    @Override
    public void close()
    {
        session.close();
        server.close();
    }
}
