package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.BufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.TestMemory;
import org.onesided.protocol.rpc.codec.Status;

/** What a session does when a member answers that it does not lead the partition. */
class NotLeadingTest
{
    private static final long LONG_NS = 10_000_000_000L;

    private EngineParts parts;
    private FakeServer server;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        parts = new EngineParts(new FakeSession(LONG_NS));
        server = parts.server;
    }

    @AfterEach
    void free()
    {
        parts.close();
    }

    private static byte[] notLeading(final long requestId)
    {
        return WriteAnswers.of(requestId, Status.NOT_LEADING, 7, 3, 0, 0);
    }

    private void put()
    {
        parts.operation.begin(Operation.PUT, 3);
        try
        {
            parts.writes.put(TestMemory.bytes("value"), BufferUtil.ARRAY_BASE_OFFSET, 5);
        }
        finally
        {
            parts.session.endOperation();
        }
    }

    @Test
    void shouldSendAWriteAgainToTheNextLeaderInTheSameSession()
    {
        final FakeWire first = server.wire();
        first.onSend(() -> first.answer(notLeading(1)));
        server.onAttach((number) ->
        {
            final FakeWire next = server.wire();
            next.onSend(() -> next.answer(WriteAnswers.of(1, Status.OK)));
        });
        put();

        assertEquals(2, server.attempts.size());
        assertFalse(server.attempts.get(1).equals(SessionIdentity.NONE), "the session must be resumed");
        assertEquals(1, first.sent.size());
        assertEquals(1, server.wire().sent.size());
        assertArrayEquals(first.sent.get(0), server.wire().sent.get(0));
    }

    @Test
    void shouldNotKnowTheFateOfAWriteWhoseSessionTheNextLeaderDoesNotKnow()
    {
        final FakeWire first = server.wire();
        first.onSend(() -> first.answer(notLeading(1)));
        server.forgetSessions();
        final StoreException thrown = assertThrows(StoreException.class, this::put);

        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
    }

    @Test
    void shouldLoseTheAttachmentByAQuestionThatIsNotAnsweredForWantOfALead()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() -> wire.answer(notLeading(1)));
        parts.operation.begin(Operation.GET, 3);
        final Rpc rpc = parts.engine.requests().rpc();
        rpc.get(0, parts.operation.keySpace(), 3);

        final AttachmentLostException thrown = assertThrows(AttachmentLostException.class, rpc::awaitGet);
        assertEquals("server does not lead the partition any more: leader=3", thrown.getMessage());
        assertTrue(parts.reconnector.attachment().isLost());
        parts.session.endOperation();
    }
}
