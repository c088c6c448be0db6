package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Counters;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.ProtectionDomain;

/**
 * Values that the server pulls: their memory is not used again while it may still do so.
 */
@Timeout(60)
class LongWritesTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);
    private static final int LENGTH = 100 << 10;

    private final Context context = Devices.find("shm").open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private EngineParts parts;
    private FakeSession session;
    private RunningOperation operation;
    private Reconnector reconnector;
    private SessionWrites writes;
    private FakeServer server;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        parts = new EngineParts(new FakeSession(LONG_NS, context, domain));
        session = parts.session;
        operation = parts.operation;
        reconnector = parts.reconnector;
        writes = parts.writes;
        server = parts.server;
    }

    /** Fails if a buffer was lost, for then the device is still in use. */
    @AfterEach
    void free()
    {
        parts.close();
        domain.close();
        context.close();
    }

    private void put()
    {
        operation.begin(Operation.PUT, 3);
        try
        {
            writes.put(new byte[LENGTH], BufferUtil.ARRAY_BASE_OFFSET, LENGTH);
        }
        finally
        {
            session.endOperation();
        }
    }

    /** Of each request, where the server is told to pull from. */
    private List<Long> addresses()
    {
        return server.wire().sent.stream().map(message -> new PutLargeRequestDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(message), 0, new MessageHeaderDecoder()).valueAddress()).toList();
    }

    @Test
    void shouldUseTheMemoryOfAValueAgainOnceItWasPulled()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() -> wire.answer(WriteAnswers.of(wire.sent.size(), Status.OK)));
        put();
        put();

        assertEquals(addresses().get(0), addresses().get(1));
        assertEquals(2L * LENGTH, session.count(Counters.BYTES_PUT));
        assertNotNull(reconnector.attachment());
    }

    @Test
    void shouldOfferTheSameMemoryAgainWhereItCouldNotBePulled()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() -> wire.answer(
            WriteAnswers.of(wire.sent.size(), wire.sent.size() == 1 ? Status.PULL_FAILED : Status.OK)));
        put();

        assertEquals(addresses().get(0), addresses().get(1));
    }

    @Test
    void shouldEndTheAttachmentBeforeMemoryIsFreedThatTheServerMayPullFrom()
    {
        operation.spend(LONG_NS - TimeUnit.MILLISECONDS.toNanos(5));
        final StoreException thrown = assertThrows(StoreDeadlineException.class, this::put);

        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
        assertNull(reconnector.attachment());
        assertEquals(List.of("left"), server.ends);
    }

    @Test
    void shouldKeepTheAttachmentWhereTheServerRefusesTheValue()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() -> wire.answer(WriteAnswers.of(wire.sent.size(), Status.STORE_FULL)));
        final StoreException thrown = assertThrows(StoreFullException.class, this::put);

        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        assertNotNull(reconnector.attachment());
    }

    @Test
    void shouldResendAValueFromTheSameMemory()
    {
        server.wire().onSend(() -> session.lose());
        server.onAttach(number ->
        {
            final FakeWire wire = server.wire();
            wire.onSend(() -> wire.answer(WriteAnswers.of(1, Status.OK)));
        });
        final List<byte[]> first = server.wire().sent;
        put();

        assertNotEquals(first, server.wire().sent);
        assertEquals(Arrays.toString(first.get(0)), Arrays.toString(server.wire().sent.get(0)));
    }
}
