package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.Version;
import org.onesided.protocol.rpc.codec.Status;

/**
 * Writes of several kinds that are in flight together, and their outcomes.
 */
@Timeout(60)
class StagedWritesTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);

    private EngineParts parts;
    private RunningOperation operation;
    private RequestEngine engine;
    private StagedWrites staged;
    private FakeServer server;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        parts = new EngineParts(new FakeSession(LONG_NS));
        operation = parts.operation;
        engine = parts.engine;
        staged = parts.staged;
        server = parts.server;
    }

    @AfterEach
    void free()
    {
        parts.close();
    }

    private long late()
    {
        return System.nanoTime() + LONG_NS;
    }

    /** Answers come in any order, and each outcome has the result of its own. */
    @Test
    void shouldTellWhatBecameOfEachKindOfWrite()
    {
        operation.next(Operation.INCREMENT, 3);
        assertTrue(staged.tryStageIncrement(WriteTerms.KEEP, 5, 0, 0, late()));
        assertTrue(staged.tryStageAppend(
            WriteTerms.KEEP, new byte[1], BufferUtil.ARRAY_BASE_OFFSET, 1, 1, late()));
        assertTrue(staged.tryStageTouch(WriteTerms.ofTouch(Expiry.NEVER), 2, late()));
        assertTrue(staged.tryStageTouch(WriteTerms.ofTouch(Expiry.NEVER), 3, late()));
        engine.progress();
        server.wire().answer(WriteAnswers.computed(2, 71, 33));
        server.wire().answer(WriteAnswers.computed(1, 70, -7));
        server.wire().answer(WriteAnswers.of(4, Status.NOT_FOUND));
        server.wire().answer(WriteAnswers.of(3, Status.OK, 0, 72, 0, 0));
        engine.settle();
        assertTrue(staged.tryStageDelete(WriteTerms.ofDelete(new Version(1, 2)), 4, late()));
        assertTrue(staged.tryStageDelete(WriteTerms.PLAIN, 5, late()));
        assertTrue(staged.tryStageIncrement(WriteTerms.KEEP, 5, 0, 6, late()));
        engine.progress();
        server.wire().answer(WriteAnswers.of(5, Status.CONFLICT, 0, 73, 0, 0));
        server.wire().answer(WriteAnswers.of(6, Status.NOT_FOUND));
        server.wire().answer(WriteAnswers.of(7, Status.NOT_A_NUMBER));
        engine.settle();

        final List<String> all = new ArrayList<>();
        final Outcomes outcomes = engine.outcomes();
        while (outcomes.takeNext())
        {
            all.add(outcomes.correlation() + " " + outcomes.kind() + " " + outcomes.version() + " " +
                outcomes.result());
        }
        assertEquals(
            List.of(
                "1 " + Outcomes.APPENDED + " 71 33", "0 " + Outcomes.INCREMENTED + " 70 -7",
                "3 " + Outcomes.UNTOUCHED + " 0 0", "2 " + Outcomes.TOUCHED + " 0 0",
                "4 " + Outcomes.CONFLICT + " 73 0", "5 " + Outcomes.ABSENT + " 0 0",
                "6 " + Outcomes.FAILED + " 0 0"),
            all);
    }

    @Test
    void shouldFailAnAppendThatFitsIntoNoMessage()
    {
        operation.next(Operation.APPEND, 3);
        final int longest = engine.requests().maxAppended(3);
        assertTrue(staged.tryStageAppend(
            WriteTerms.KEEP, new byte[longest + 1], BufferUtil.ARRAY_BASE_OFFSET, longest + 1, 0, late()));
        engine.progress();

        assertEquals(0, server.wire().sent.size());
        final Outcomes outcomes = engine.outcomes();
        assertTrue(outcomes.takeNext());
        assertEquals(WriteFate.NOT_APPLIED, outcomes.failure().writeFate());
        assertEquals(0, engine.inFlight());
    }
}
