package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.ReadLease;
import org.onesided.client.session.TestMemory;
import org.onesided.client.types.ClientStatistics;
import org.onesided.protocol.rpc.codec.LeaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.LeaseRequestDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.Status;

class SessionLeaseTest
{
    private static final long LONG_NS = 10_000_000_000L;
    private static final long LEASE_NS = 1_000;
    private static final long LIFE = 1;

    private long nowNs = 10_000;
    /** By how much the clock goes on each time that it is read. */
    private long tickNs;
    private long term = 5;
    private EngineParts parts;
    private FakeServer server;
    private FakeWire wire;
    private ReadLease lease;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        parts = new EngineParts(new FakeSession(LONG_NS));
        server = parts.server;
        server.needLeases(LEASE_NS, () -> nowNs += tickNs);
        reattach();
    }

    private void reattach()
    {
        parts.session.endOperation();
        parts.session.lose();
        parts.operation.begin(Operation.GET, 3);
        lease = parts.reconnector.attached(WriteFate.NONE).lease();
        wire = server.wire();
        wire.onSend(this::grant);
    }

    @AfterEach
    void free()
    {
        parts.close();
    }

    /** Answers the latest request, if that asks for a lease. */
    private void grant()
    {
        final UnsafeBuffer message = new UnsafeBuffer(wire.sent.get(wire.sent.size() - 1));
        if (new MessageHeaderDecoder().wrap(message, 0).templateId() == LeaseRequestDecoder.TEMPLATE_ID)
        {
            wire.answer(grant(lastRequest(), LIFE, term));
        }
    }

    private long lastRequest()
    {
        return new LeaseRequestDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(wire.sent.get(wire.sent.size() - 1)), 0, new MessageHeaderDecoder()).requestId();
    }

    private static byte[] grant(final long requestId, final long life, final long term)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        final int length = new LeaseAnswerEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(requestId).life(life).term(term).limit();
        return Arrays.copyOf(message.byteArray(), length);
    }

    private int asked()
    {
        return wire.sent.size();
    }

    @Test
    void shouldAskOnceForALeaseThatLasts()
    {
        final long first = lease.begin();
        assertTrue(lease.isStillHeld(first));
        nowNs += LEASE_NS / 2;
        assertEquals(first, lease.begin());

        assertEquals(1, asked());
    }

    /** One request is waited for, the other is not; one lookup takes longer than its lease. */
    @Test
    void shouldCountWhatLeasesCost()
    {
        wire.onSend(() ->
        {
            nowNs += asked() == 1 ? 7 : 0;
            grant();
        });
        final long first = lease.begin();
        nowNs += LEASE_NS - 8;
        lease.begin();
        assertTrue(lease.isStillHeld(first));
        assertEquals("2 7 0", counted());
        parts.reconnector.attachment().loop().progress();
        nowNs += LEASE_NS;
        assertFalse(lease.isStillHeld(first));

        assertEquals("2 7 1", counted());
    }

    private String counted()
    {
        final ClientStatistics statistics = server.counters.statistics();
        return statistics.leaseRequests() + " " + statistics.leaseWaitNs() + " " + statistics.leaseRestarts();
    }

    @Test
    void shouldCountFromTheSendingAndNotFromTheAnswer()
    {
        wire.onSend(() ->
        {
            nowNs += LEASE_NS - 1;
            grant();
        });
        final long first = lease.begin();
        assertTrue(lease.isStillHeld(first));
        nowNs++;

        assertFalse(lease.isStillHeld(first));
    }

    @Test
    void shouldAskAgainIfTheAnswerTookAsLongAsALease()
    {
        wire.onSend(() ->
        {
            nowNs += asked() == 1 ? LEASE_NS : 0;
            grant();
        });
        lease.begin();

        assertEquals(2, asked());
    }

    @Test
    void shouldAskForTheNextLeaseInTimeWithoutWaiting()
    {
        final long first = lease.begin();
        wire.onSend(() -> { });
        nowNs += LEASE_NS / 2 + 1;
        assertEquals(first, lease.begin());
        assertEquals(2, asked());
        // The answer is still to come, so no other request goes.
        assertEquals(first, lease.begin());
        assertEquals(2, asked());

        wire.answer(grant(lastRequest(), LIFE, term));
        parts.reconnector.attachment().loop().progress();
        nowNs += LEASE_NS - 1;
        assertTrue(lease.isStillHeld(first));
        nowNs++;
        assertFalse(lease.isStillHeld(first));
    }

    @Test
    void shouldNotTakeALeaseOfALaterTermForARenewal()
    {
        final long first = lease.begin();
        nowNs += LEASE_NS / 2 + 1;
        term++;
        lease.begin();
        parts.reconnector.attachment().loop().progress();

        assertFalse(lease.isStillHeld(first));
        assertTrue(lease.isStillHeld(lease.begin()));
    }

    @Test
    void shouldNotBelieveAGrantOfAnotherLife()
    {
        wire.onSend(() -> wire.answer(grant(lastRequest(), asked() == 1 ? LIFE + 1 : LIFE, term)));
        lease.begin();

        assertEquals(2, asked());
    }

    @Test
    void shouldAskAgainAfterARefusal()
    {
        wire.onSend(() -> wire.answer(asked() == 1 ?
            WriteAnswers.of(lastRequest(), Status.BUSY) : grant(lastRequest(), LIFE, term)));
        lease.begin();

        assertEquals(2, asked());
    }

    @Test
    void shouldLoseTheAttachmentIfTheServerDoesNotLead()
    {
        wire.onSend(() -> wire.answer(WriteAnswers.of(lastRequest(), Status.NOT_LEADING, 7, 3, 0, 0)));

        assertEquals("server does not lead the partition any more: leader=3",
            assertThrows(AttachmentLostException.class, lease::begin).getMessage());
    }

    @Test
    void shouldLoseTheAttachmentByAnAnswerThatFitsNoLease()
    {
        wire.onSend(() -> wire.answer(WriteAnswers.computed(lastRequest(), 1, 2)));

        assertTrue(assertThrows(AttachmentLostException.class, lease::begin).getMessage()
            .startsWith("answer does not fit a request for a lease"));
    }

    /** A stopped leader answers nothing: another one may lead. */
    @Test
    void shouldLoseTheAttachmentIfTheRequestIsNotAnswered()
    {
        wire.onSend(() -> { });
        tickNs = HeldLease.patienceNs(LEASE_NS) / 2;

        assertTrue(assertThrows(AttachmentLostException.class, lease::begin).getMessage()
            .startsWith("leader does not answer requests: milliseconds="));
        assertEquals(1, asked());
    }

    /** The request went out while the lease before was held, and no lookup waited for it. */
    @Test
    void shouldCountFromTheRequestThatNobodyWaitedFor()
    {
        lease.begin();
        wire.onSend(() -> { });
        nowNs += LEASE_NS / 2 + 1;
        lease.begin();
        assertEquals(2, asked());
        nowNs += HeldLease.patienceNs(LEASE_NS) + 1;

        assertThrows(AttachmentLostException.class, lease::begin);
        assertEquals(2, asked());
    }

    private void beginShort(final String name)
    {
        parts.operation.limit(System.nanoTime() + 1_000_000);
        parts.operation.begin(name, 3);
    }

    /** The server has answered nothing yet. */
    private void giveUpAPut()
    {
        parts.session.endOperation();
        beginShort(Operation.PUT);
        wire.onSend(() -> { });
        assertThrows(StoreDeadlineException.class,
            () -> parts.writes.put(TestMemory.bytes("value"), BufferUtil.ARRAY_BASE_OFFSET, 5));
        parts.session.endOperation();
    }

    /** Requests wait for the answer to a write that was given up: without it, there is no lease to be had. */
    @Test
    void shouldLoseTheAttachmentIfAWriteThatWasGivenUpIsNotAnswered()
    {
        giveUpAPut();
        parts.operation.begin(Operation.GET, 3);
        tickNs = HeldLease.patienceNs(LEASE_NS) / 2;

        assertThrows(AttachmentLostException.class, lease::begin);
        assertEquals(1, asked());
    }

    /** A lookup gave up long ago, as a write before it was not answered. It was answered since. */
    @Test
    void shouldGiveARequestTheWholeTimeThatHadToWait()
    {
        giveUpAPut();
        beginShort(Operation.GET);
        assertThrows(DeadlinePassedException.class, lease::begin);
        parts.session.endOperation();
        nowNs += 10 * HeldLease.patienceNs(LEASE_NS);
        wire.answer(WriteAnswers.of(1, Status.OK));
        beginShort(Operation.GET);

        assertThrows(DeadlinePassedException.class, lease::begin);
        assertEquals(2, asked());
    }

    /** This process may have been stopped meanwhile. */
    @Test
    void shouldTakeAnAnswerThatIsThereThoughTimeIsUp()
    {
        wire.onSend(() ->
        {
            nowNs += asked() == 1 ? 2 * HeldLease.patienceNs(LEASE_NS) : 0;
            grant();
        });
        lease.begin();

        assertEquals(2, asked());
    }

    @Test
    void shouldLookUpUnderTheLeaseOfAnotherSession()
    {
        final HeldLease shared = share();
        shared.onGrant(shared.tryAsk(), LIFE, term);
        final long begun = lease.begin();
        assertTrue(lease.isStillHeld(begun));
        assertEquals(0, asked());
        nowNs += LEASE_NS;
        assertFalse(lease.isStillHeld(begun));

        lease.begin();
        assertEquals(1, asked());
    }

    @Test
    void shouldAskForNoNextLeaseWhileAnotherSessionDoes()
    {
        final HeldLease shared = share();
        lease.begin();
        nowNs += LEASE_NS / 2 + 1;
        final HeldLease.Request request = shared.tryAsk();
        lease.begin();
        assertEquals(1, asked());

        shared.onRefused(request);
        lease.begin();
        assertEquals(2, asked());
    }

    /** The other session's answer comes while this one waits for it. */
    @Test
    void shouldWaitForWhatAnotherSessionHasAskedFor() throws InterruptedException
    {
        final HeldLease shared = share();
        final HeldLease.Request request = shared.tryAsk();
        final Thread other = new Thread(() -> shared.onGrant(request, LIFE, term), "other session");
        other.start();
        final long begun = lease.begin();
        other.join();

        assertTrue(lease.isStillHeld(begun));
        assertEquals(0, asked());
    }

    @Test
    void shouldAskItselfWhereAnotherSessionGetsNoAnswer()
    {
        final HeldLease shared = share();
        shared.tryAsk();
        tickNs = 1;
        assertTrue(lease.isStillHeld(lease.begin()));

        assertEquals(1, asked());
    }

    /** Of another session that is attached to another memory. */
    @Test
    void shouldNotLookUpUnderALeaseOfAnotherMemory()
    {
        final HeldLease shared = share();
        assertFalse(shared.onGrant(shared.tryAsk(), LIFE + 1, term));
        lease.begin();

        assertEquals(1, asked());
    }

    @Test
    void shouldLetOthersAskWhenItsAttachmentIsLost()
    {
        final HeldLease shared = share();
        lease.begin();
        wire.onSend(() -> { });
        nowNs += LEASE_NS / 2 + 1;
        lease.begin();
        assertFalse(shared.mayAsk());
        reattach();

        assertTrue(shared.mayAsk());
    }

    private HeldLease share()
    {
        final HeldLease shared = new HeldLease(LIFE, LEASE_NS, () -> nowNs += tickNs);
        server.shareLease(shared);
        reattach();
        return shared;
    }

    @Test
    void shouldBeginWithoutALeaseOverTheNextAttachment()
    {
        lease.begin();
        reattach();
        lease.begin();

        assertEquals(1, asked());
    }

    /** A request for a lease is sent again with the session that is resumed, and nobody waits for it then. */
    @Test
    void shouldTakeALateAnswerToARequestOfAFormerAttachment()
    {
        lease.begin();
        wire.onSend(() -> { });
        nowNs += LEASE_NS / 2 + 1;
        lease.begin();
        final long renewal = lastRequest();
        parts.session.endOperation();
        parts.operation.begin(Operation.PUT, 3);
        wire.onSend(() -> wire.answer(WriteAnswers.of(renewal + 1, Status.NOT_LEADING, 7, 3, 0, 0)));
        server.onAttach((number) ->
        {
            final FakeWire next = server.wire();
            next.onSend(() ->
            {
                if (next.sent.size() == 2)
                {
                    next.answer(grant(renewal, LIFE, term));
                    next.answer(WriteAnswers.of(renewal + 1, Status.OK));
                }
            });
        });
        parts.writes.put(TestMemory.bytes("value"), BufferUtil.ARRAY_BASE_OFFSET, 5);
        wire = server.wire();
        assertEquals(2, asked());

        // The grant is of another attachment, so it counts for nothing here.
        wire.onSend(this::grant);
        parts.reconnector.attachment().lease().begin();
        assertEquals(3, asked());
    }
}
