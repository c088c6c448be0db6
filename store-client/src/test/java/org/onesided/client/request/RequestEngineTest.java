package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.AttachFailedException.Kind;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Counters;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.Mirror;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.Table;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.TestMemory;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.Errno;

/**
 * Each write has one outcome, whatever happens, alone or together with others.
 */
@Timeout(60)
class RequestEngineTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private EngineParts parts;
    private FakeSession session;
    private RunningOperation operation;
    private Reconnector reconnector;
    private RequestEngine engine;
    private SessionWrites writes;
    private FakeServer server;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        parts = new EngineParts(new FakeSession(LONG_NS));
        session = parts.session;
        operation = parts.operation;
        reconnector = parts.reconnector;
        engine = parts.engine;
        writes = parts.writes;
        server = parts.server;
    }

    @AfterEach
    void free()
    {
        Thread.interrupted();
        parts.close();
    }

    private void begin(final String name)
    {
        operation.begin(name, 3);
    }

    private void end()
    {
        session.endOperation();
    }

    /** A put that its operation waits for. */
    private void put(final String value)
    {
        begin(Operation.PUT);
        try
        {
            writes.put(TestMemory.bytes(value), BufferUtil.ARRAY_BASE_OFFSET, value.length());
        }
        finally
        {
            end();
        }
    }

    private WriteOutcome put(final PutOptions options)
    {
        begin(Operation.PUT);
        try
        {
            return writes.put(
                WriteTerms.of(options), TestMemory.bytes("value"), BufferUtil.ARRAY_BASE_OFFSET, 5);
        }
        finally
        {
            end();
        }
    }

    private boolean delete()
    {
        begin(Operation.DELETE);
        try
        {
            return writes.delete();
        }
        finally
        {
            end();
        }
    }

    private boolean tryStage(final long correlation, final long deadlineNs)
    {
        operation.next(Operation.PUT, 3);
        return parts.staged.tryStagePut(
            new byte[] {(byte)correlation}, BufferUtil.ARRAY_BASE_OFFSET, 1, correlation, deadlineNs);
    }

    private long soon()
    {
        return System.nanoTime() + SHORT_NS;
    }

    private long late()
    {
        return System.nanoTime() + LONG_NS;
    }

    /** Outcomes as correlation and kind, and of failures the fate. */
    private List<String> outcomes()
    {
        final List<String> all = new ArrayList<>();
        final Outcomes outcomes = engine.outcomes();
        while (outcomes.takeNext())
        {
            all.add(outcomes.correlation() + " " + (outcomes.kind() != Outcomes.FAILED ? "done" :
                outcomes.failure().writeFate()));
        }
        return all;
    }

    private void answerAll(final FakeWire wire)
    {
        wire.onSend(() -> wire.answer(WriteAnswers.of(idOf(wire.sent.get(wire.sent.size() - 1)), Status.OK)));
    }

    /** The attachment is lost once the first request was sent. */
    private void loseAfterSend()
    {
        server.wire().onSend(() -> session.lose());
    }

    private static long idOf(final byte[] message)
    {
        // The first field of every request.
        return new UnsafeBuffer(message).getLong(MessageHeaderDecoder.ENCODED_LENGTH);
    }

    @Test
    void shouldPutAndDeleteAlone()
    {
        answerAll(server.wire());
        put("value");
        assertTrue(delete());
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(3, Status.NOT_FOUND)));
        assertFalse(delete());

        assertEquals(1, session.count(Counters.PUTS));
        assertEquals(5, session.count(Counters.BYTES_PUT));
        assertEquals(2, session.count(Counters.DELETES));
        assertEquals(0, engine.inFlight());
        assertEquals(0, engine.outcomes().count());
    }

    /** A newer server may say that an earlier copy of the request has taken effect, or will. */
    @Test
    void shouldNotKnowTheFateOfAWriteWithAnUnknownStatus()
    {
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(1, Status.NULL_VAL)));
        final StoreException thrown = assertThrows(StoreLimitException.class, () -> put("value"));

        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
        assertTrue(thrown.getMessage().contains("use a newer one"), thrown.getMessage());
    }

    @Test
    void shouldSayThatARefusedWriteWasNotApplied()
    {
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(1, Status.STORE_FULL)));
        final StoreException thrown = assertThrows(StoreFullException.class, () -> put("value"));

        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        assertEquals("key", thrown.key());
        assertEquals(0, engine.inFlight());
    }

    @Test
    void shouldSayThatTheServersDiskRefusedAWrite()
    {
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(1, Status.STORAGE_FAILED)));
        final StoreException thrown = assertThrows(StoreStorageException.class, () -> put("value"));

        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        assertTrue(thrown.getMessage().contains("its log says which"), thrown.getMessage());
        assertEquals(0, engine.inFlight());
    }

    /** The write is done once, but in which bucket its key is now, nobody has said. */
    @Test
    void shouldLearnNothingOfAnAnswerFromBeforeARestart()
    {
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(1, Status.OK, 5L << 48, 70, 4096, 0)));
        put("value");
        final Table before = reconnector.attachment().table();
        assertNotEquals(Mirror.NONE, before.mirror().lineOf(before.bucketNumber(0, 0)));

        server.wire().onSend(() ->
        {
            server.restart();
            session.lose();
        });
        server.onAttach(number -> server.wire().onSend(
            () -> server.wire().answer(WriteAnswers.of(2, Status.OK, 0, 71, 0, 0))));
        final WriteOutcome outcome = put(PutOptions.ifPresent());

        assertEquals(71, outcome.version().number());
        final Table after = reconnector.attachment().table();
        assertNotSame(before, after);
        for (int bucket = 0; bucket < 8; bucket++)
        {
            assertEquals(Mirror.NONE, after.mirror().lineOf(after.bucketNumber(0, bucket)), "bucket=" + bucket);
        }
        assertEquals(before.firstInUse(0), after.firstInUse(0));
    }

    @Test
    void shouldTellTheVersionOfAPutUnderACondition()
    {
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(1, Status.OK, 0, 77, 0, 0)));
        final WriteOutcome outcome = put(PutOptions.ifAbsent());

        assertTrue(outcome.applied());
        assertEquals(77, outcome.version().number());
        assertEquals(1, session.count(Counters.PUTS));
    }

    @Test
    void shouldTakeAConditionThatDoesNotHoldForAnOutcome()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() -> wire.answer(
            WriteAnswers.of(wire.sent.size(), Status.CONFLICT, 0, wire.sent.size() == 1 ? 77 : 0, 0, 0)));
        final WriteOutcome present = put(PutOptions.ifAbsent());
        final WriteOutcome absent = put(PutOptions.ifPresent());

        assertFalse(present.applied());
        assertEquals(77, present.version().number());
        assertEquals(new WriteOutcome(false, null), absent);
        assertEquals(0, session.count(Counters.PUTS));
        assertEquals(0, engine.inFlight());
        // The engine takes other writes as before.
        answerAll(wire);
        put("value");
    }

    /** A server that answers so to a put without a condition is wrong, and nothing was put. */
    @Test
    void shouldFailAWriteWithoutAConditionThatTheServerSaysDoesNotHold()
    {
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(1, Status.CONFLICT)));
        final StoreException thrown = assertThrows(StoreConflictException.class, () -> put("value"));

        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
    }

    @Test
    void shouldResendAConditionByteByByte()
    {
        loseAfterSend();
        server.onAttach(number -> answerAll(server.wire()));
        assertTrue(put(PutOptions.ifVersion(new Version(5, 6))).applied());

        assertEquals(1, server.wires.get(0).sent.size());
        assertEquals(1, server.wire().sent.size());
        assertArrayEquals(server.wires.get(0).sent.get(0), server.wire().sent.get(0));
    }

    @Test
    void shouldAskABusyServerAgainUnderAnotherNumber()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() -> wire.answer(
            WriteAnswers.of(wire.sent.size(), wire.sent.size() < 3 ? Status.BUSY : Status.OK)));
        put("value");

        assertEquals(List.of(1L, 2L, 3L), wire.sent.stream().map(RequestEngineTest::idOf).toList());
        assertEquals(1, session.count(Counters.PUTS));
    }

    @Test
    void shouldResendTheSameBytesOverAResumedSession()
    {
        loseAfterSend();
        server.onAttach(number -> answerAll(server.wire()));
        put("value");

        assertEquals(2, server.wires.size());
        assertEquals(List.of("dropped"), server.ends);
        assertEquals(1, server.wires.get(0).sent.size());
        assertEquals(1, server.wire().sent.size());
        assertArrayEquals(server.wires.get(0).sent.get(0), server.wire().sent.get(0));
        assertEquals(1, session.count(Counters.PUTS));
    }

    @Test
    void shouldNotSendAgainWhatAnotherLifeOfTheServerDoesNotKnow()
    {
        loseAfterSend();
        server.forgetSessions();
        final StoreException thrown = assertThrows(StoreDisconnectedException.class, () -> put("value"));

        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
        assertTrue(thrown.getMessage().contains("does not know it any more"), thrown.getMessage());
        assertTrue(server.wire().sent.isEmpty());
    }

    @Test
    void shouldSendOverANewSessionWhatWasNeverSent()
    {
        server.wire().refuseSends(Errno.EINVAL);
        server.forgetSessions();
        server.onAttach(number -> answerAll(server.wire()));
        put("value");

        assertEquals(2, server.wires.size());
        assertEquals(1, server.wire().sent.size());
        assertEquals(1, session.count(Counters.PUTS));
    }

    @Test
    void shouldTakeAnAnswerThatCameBeforeTheAttachmentWasLost()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() ->
        {
            wire.answer(WriteAnswers.of(1, Status.OK));
            session.lose();
        });
        put("value");

        assertEquals(1, server.wires.size());
        assertEquals(1, session.count(Counters.PUTS));
    }

    @Test
    void shouldNotKnowTheFateOfWhatWasNotAnsweredInTime()
    {
        operation.spend(LONG_NS - SHORT_NS);
        final StoreException thrown = assertThrows(StoreDeadlineException.class, () -> put("value"));
        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
        assertTrue(thrown.getMessage().contains("before the answer came"), thrown.getMessage());

        operation.spend(LONG_NS - SHORT_NS);
        final StoreException second = assertThrows(StoreDeadlineException.class, () -> put("other"));
        assertEquals(WriteFate.NOT_APPLIED, second.writeFate());
        assertEquals(1, server.wire().sent.size());

        server.wire().answer(WriteAnswers.of(1, Status.OK));
        answerAll(server.wire());
        put("third");
        assertEquals(List.of(1L, 2L), server.wire().sent.stream().map(RequestEngineTest::idOf).toList());
        assertEquals(1, session.count(Counters.PUTS));
    }

    @Test
    void shouldFailAtTheDeadlineWhereNoServerComesBack()
    {
        loseAfterSend();
        server.refuse(new AttachFailedException(Kind.TRANSIENT, "nobody listens", null));
        operation.spend(LONG_NS - 100 * SHORT_NS);
        final StoreException thrown = assertThrows(StoreDisconnectedException.class, () -> put("value"));

        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
        assertTrue(thrown.getMessage().contains("server was lost (test) and did not come back in time: nobody"),
            thrown.getMessage());
        assertTrue(server.attempts.size() > 1);
        assertFalse(engine.requests().slots().hasPendingWrites());
    }

    @Test
    void shouldFailAtOnceWhereTheServerRefusesForGood()
    {
        loseAfterSend();
        final AttachFailedException refusal = new AttachFailedException(Kind.CREDENTIALS, "token is wrong", null);
        server.refuse(refusal);
        final StoreException thrown = assertThrows(StoreAccessException.class, () -> put("value"));

        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
        assertSame(refusal, thrown.getCause());
    }

    @Test
    void shouldEndWhereItsThreadIsInterruptedAmidAnAttempt()
    {
        loseAfterSend();
        server.refuse(new AttachFailedException(Kind.INTERRUPTED, "interrupted", null));
        Thread.currentThread().interrupt();
        final StoreException thrown = assertThrows(StoreDisconnectedException.class, () -> put("value"));

        assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
        assertTrue(Thread.interrupted());
        assertEquals(2, server.attempts.size());
    }

    @Test
    void shouldKeepWritesUnderWayTogetherUpToTheCredits()
    {
        for (int i = 0; i < FakeServer.CREDITS; i++)
        {
            assertTrue(tryStage(i, late()));
        }
        assertFalse(tryStage(9, late()));
        assertFalse(parts.staged.hasRoom());
        answerAll(server.wire());
        engine.progress();
        assertEquals(1, server.wire().doorbells());
        engine.settle();

        assertTrue(parts.staged.hasRoom());
        assertEquals(List.of("0 done", "1 done", "2 done", "3 done"), outcomes());
    }

    /** Each outcome waits until it is taken, and has the version of its own answer. */
    @Test
    void shouldTellTheVersionOfEachWriteUnderWayTogether()
    {
        assertTrue(tryStage(0, late()));
        operation.next(Operation.PUT, 3);
        assertTrue(parts.staged.tryStagePut(
            WriteTerms.of(PutOptions.ifAbsent()), new byte[1], BufferUtil.ARRAY_BASE_OFFSET, 1, 1, late()));
        assertTrue(tryStage(2, late()));
        engine.progress();
        server.wire().answer(WriteAnswers.of(1, Status.OK, 0, 70, 0, 0));
        server.wire().answer(WriteAnswers.of(2, Status.CONFLICT, 0, 71, 0, 0));
        server.wire().answer(WriteAnswers.of(3, Status.STORE_FULL, 0, 72, 0, 0));
        engine.settle();

        final List<String> all = new ArrayList<>();
        final Outcomes outcomes = engine.outcomes();
        while (outcomes.takeNext())
        {
            all.add(outcomes.correlation() + " " + outcomes.kind() + " " + outcomes.version());
        }
        assertEquals(
            List.of("0 " + Outcomes.PUT + " 70", "1 " + Outcomes.CONFLICT + " 71", "2 " + Outcomes.FAILED + " 0"), all);
    }

    @Test
    void shouldResendAllUnderTheirNumbersInOrder()
    {
        for (int i = 0; i < 3; i++)
        {
            assertTrue(tryStage(i, late()));
        }
        engine.progress();
        session.lose();
        server.onAttach(number -> answerAll(server.wire()));
        engine.settle();

        assertEquals(List.of(1L, 2L, 3L), server.wire().sent.stream().map(RequestEngineTest::idOf).toList());
        assertEquals(List.of("0 done", "1 done", "2 done"), outcomes());
    }

    @Test
    void shouldTellTheFateOfEachWhenTheSessionIsLost()
    {
        assertTrue(tryStage(1, late()));
        engine.progress();
        assertTrue(tryStage(2, late()));
        session.lose();
        server.forgetSessions();
        engine.settle();

        assertEquals(List.of("1 UNKNOWN", "2 NOT_APPLIED"), outcomes());
    }

    @Test
    void shouldFailEachAtItsOwnDeadline()
    {
        assertTrue(tryStage(1, soon()));
        assertTrue(tryStage(2, late()));
        engine.progress();
        while (engine.outcomes().count() == 0)
        {
            engine.await(engine::isReady);
        }
        assertEquals(List.of("1 UNKNOWN"), outcomes());

        server.wire().answer(WriteAnswers.of(1, Status.OK));
        server.wire().answer(WriteAnswers.of(2, Status.OK));
        engine.settle();
        assertEquals(List.of("2 done"), outcomes());
    }

    @Test
    void shouldHoldBackWhatFollowsARequestThatWasGivenUp()
    {
        assertTrue(tryStage(1, soon()));
        engine.progress();
        while (engine.outcomes().count() == 0)
        {
            engine.await(engine::isReady);
        }
        assertTrue(tryStage(2, late()));
        engine.progress();
        assertEquals(1, server.wire().sent.size());

        server.wire().answer(WriteAnswers.of(1, Status.OK));
        answerAll(server.wire());
        engine.settle();
        assertEquals(List.of("1 UNKNOWN", "2 done"), outcomes());
    }

    @Test
    void shouldFailAllWhenItIsClosed()
    {
        assertTrue(tryStage(1, late()));
        engine.progress();
        assertTrue(tryStage(2, late()));
        engine.close();

        assertEquals(List.of("1 UNKNOWN", "2 NOT_APPLIED"), outcomes());
        assertEquals(0, engine.inFlight());
        assertEquals(1, server.wire().sent.size());
    }

    @Test
    void shouldNotReplaceAnAttachmentThatIsHeld()
    {
        engine.holdAttachment(true);
        session.lose();
        assertTrue(tryStage(1, late()));
        assertEquals(1, server.wires.size());
        reconnector.detach("test");
        assertFalse(tryStage(2, late()));
        engine.holdAttachment(false);

        server.onAttach(number -> answerAll(server.wire()));
        engine.settle();
        assertEquals(2, server.wires.size());
        assertEquals(List.of("1 done"), outcomes());
    }

    @Test
    void shouldRefuseAValueThatNoServerTakes()
    {
        begin(Operation.PUT);
        final StoreException thrown = assertThrows(
            StoreLimitException.class, () -> writes.put(new byte[1], BufferUtil.ARRAY_BASE_OFFSET, (1 << 20) + 1));
        end();

        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        assertTrue(server.wire().sent.isEmpty());
    }
}
