package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.TestMemory;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutBatchRequestDecoder;
import org.onesided.protocol.rpc.codec.Status;

/**
 * Puts of many pairs with options of their own, and deletes of many keys, in one pipeline.
 */
@Timeout(60)
class SessionBatchWritesTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);
    private static final List<byte[]> PAIRS =
        List.of(TestMemory.bytes("a"), TestMemory.bytes("b"), TestMemory.bytes("c"));

    private EngineParts parts;
    private FakeSession session;
    private FakeServer server;
    private SessionBatchWrites batch;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        parts = new EngineParts(new FakeSession(LONG_NS));
        session = parts.session;
        server = parts.server;
        batch = new SessionBatchWrites(
            parts.operation, parts.reconnector, parts.engine, parts.writes, session::endOperation);
    }

    @AfterEach
    void free()
    {
        parts.close();
    }

    /** Answers each request with the status and version of its number. */
    private void answer(final List<Status> statuses, final List<Long> versions)
    {
        final FakeWire wire = server.wire();
        wire.onSend(() ->
        {
            final int at = wire.sent.size() - 1;
            wire.answer(WriteAnswers.of(at + 1, statuses.get(at), 0, versions.get(at), 0, 0));
        });
    }

    private static int template(final byte[] message)
    {
        return new MessageHeaderDecoder().wrap(new UnsafeBuffer(message), 0).templateId();
    }

    private long tableId()
    {
        return parts.reconnector.attachment().table().id();
    }

    @Test
    void shouldTellWhatBecameOfEachPair()
    {
        answer(List.of(Status.OK, Status.CONFLICT, Status.CONFLICT), List.of(7L, 8L, 0L));
        final List<WriteOutcome> outcomes = batch.put(PAIRS, PAIRS,
            List.of(PutOptions.NONE, PutOptions.ifAbsent(), PutOptions.ifPresent()));

        assertEquals(List.of(
            new WriteOutcome(true, new Version(tableId(), 7)),
            new WriteOutcome(false, new Version(tableId(), 8)),
            new WriteOutcome(false, null)), outcomes);
        assertEquals(1, server.wire().doorbells());
    }

    /** A pair without a condition goes as in a plain batch, which older servers know. */
    @Test
    void shouldSendPlainPairsAsPlainPuts()
    {
        answer(Collections.nCopies(4, Status.OK), List.of(7L, 8L, 9L, 10L));
        batch.put(PAIRS, PAIRS, List.of(PutOptions.NONE, PutOptions.ifAbsent(), PutOptions.NONE));
        batch.put(PAIRS.subList(0, 1), PAIRS.subList(0, 1));
        final List<Integer> templates =
            server.wire().sent.stream().map(SessionBatchWritesTest::template).toList();

        assertEquals(templates.get(3), templates.get(0));
        assertEquals(templates.get(3), templates.get(2));
        assertNotEquals(templates.get(3), templates.get(1));
    }

    @ParameterizedTest
    @CsvSource({
        "STORE_FULL, org.onesided.client.exceptions.StoreFullException",
        "STORAGE_FAILED, org.onesided.client.exceptions.StoreStorageException"})
    void shouldTellTheFateOfAPairWhoseConditionDidNotHoldBesideAFailure(
        final Status refusal, final Class<? extends StoreException> cause)
    {
        answer(List.of(Status.OK, Status.CONFLICT, refusal), List.of(7L, 8L, 0L));
        final StoreBatchException thrown = assertThrows(StoreBatchException.class, () -> batch.put(PAIRS, PAIRS,
            List.of(PutOptions.NONE, PutOptions.ifAbsent(), PutOptions.NONE)));

        assertInstanceOf(cause, thrown.getCause());
        assertEquals(WriteFate.APPLIED, thrown.fate(0));
        assertEquals(WriteFate.NOT_APPLIED, thrown.fate(1));
        assertEquals(WriteFate.NOT_APPLIED, thrown.fate(2));
    }

    @Test
    void shouldSendPlainPairsInOneMessageAndTellTheFateOfEach()
    {
        final FakeWire wire = server.wire();
        wire.onSend(() -> wire.answer(WriteAnswers.ofBatch(1, Status.OK, Status.STORE_FULL, Status.OK)));
        final StoreBatchException thrown =
            assertThrows(StoreBatchException.class, () -> batch.put(PAIRS, PAIRS));

        assertEquals(1, wire.sent.size());
        assertEquals(PutBatchRequestDecoder.TEMPLATE_ID, template(wire.sent.get(0)));
        assertInstanceOf(StoreFullException.class, thrown.getCause());
        assertEquals("b", ((StoreException)thrown.getCause()).key());
        assertEquals(WriteFate.APPLIED, thrown.fate(0));
        assertEquals(WriteFate.NOT_APPLIED, thrown.fate(1));
        assertEquals(WriteFate.APPLIED, thrown.fate(2));
    }

    @Test
    void shouldResendABatchByteByByte()
    {
        server.wire().onSend(() -> session.lose());
        server.onAttach(number -> server.wire().onSend(
            () -> server.wire().answer(WriteAnswers.ofBatch(1, Status.OK, Status.OK, Status.OK))));
        batch.put(PAIRS, PAIRS);

        assertArrayEquals(server.wires.get(0).sent.get(0), server.wire().sent.get(0));
        assertEquals(1, server.wire().sent.size());
    }

    /** An older server may have the session back, and cannot read what is to be sent again. */
    @Test
    void shouldLoseASessionWhoseServerTakesNoBatchesAnyMore()
    {
        server.wire().onSend(() ->
        {
            server.takeBatches(false);
            session.lose();
        });
        final StoreBatchException thrown = assertThrows(StoreBatchException.class, () -> batch.put(PAIRS, PAIRS));

        assertInstanceOf(StoreDisconnectedException.class, thrown.getCause());
        assertEquals(3, thrown.count(WriteFate.UNKNOWN));
        answer(Collections.nCopies(3, Status.OK), List.of(7L, 8L, 9L));
        batch.put(PAIRS, PAIRS);
        assertEquals(3, server.wire().sent.size(), "one message for each pair");
    }

    @Test
    void shouldGoOnWithoutBatchesWhereANewerServerResumesTheSession() throws AttachFailedException
    {
        try (EngineParts older = new EngineParts(new FakeSession(LONG_NS), false))
        {
            final SessionBatchWrites ofOlder = new SessionBatchWrites(
                older.operation, older.reconnector, older.engine, older.writes, older.session::endOperation);
            older.server.wire().onSend(() ->
            {
                older.server.takeBatches(true);
                older.session.lose();
            });
            older.server.onAttach(number ->
            {
                final FakeWire wire = older.server.wire();
                wire.onSend(() -> wire.answer(WriteAnswers.of(wire.sent.size(), Status.OK, 0, 7, 0, 0)));
            });
            ofOlder.put(PAIRS, PAIRS);

            assertEquals(2, older.server.wires.size());
            assertEquals(3, older.server.wire().sent.size());
        }
    }

    @Test
    void shouldFailAllPairsOfABatchThatIsRefusedAsAWhole()
    {
        server.wire().onSend(() -> server.wire().answer(WriteAnswers.of(1, Status.READ_ONLY)));
        final StoreBatchException thrown =
            assertThrows(StoreBatchException.class, () -> batch.put(PAIRS, PAIRS));

        assertInstanceOf(StoreReadOnlyException.class, thrown.getCause());
        assertEquals(3, thrown.count(WriteFate.NOT_APPLIED));
    }

    @Test
    void shouldNotBelieveAnAnswerThatDoesNotFitItsBatch()
    {
        final List<byte[]> wrong = List.of(
            WriteAnswers.of(1, Status.OK),
            WriteAnswers.ofBatch(1, Status.OK, Status.OK),
            WriteAnswers.ofBatch(1, Status.OK, Status.OK, Status.OK, Status.OK));
        for (int i = 0; i < wrong.size(); i++)
        {
            final byte[] answer = wrong.get(i);
            final long id = i + 1;
            new UnsafeBuffer(answer).putLong(MessageHeaderDecoder.ENCODED_LENGTH, id);
            server.wire().onSend(() -> server.wire().answer(answer));
            server.onAttach(number -> server.wire().onSend(
                () -> server.wire().answer(WriteAnswers.ofBatch(id, Status.OK, Status.OK, Status.OK))));
            batch.put(PAIRS, PAIRS);
            assertEquals(1, server.wire().sent.size(), "sent again over another attachment: " + i);
        }
    }

    @Test
    void shouldResendConditionsByteByByte()
    {
        server.wire().onSend(() -> session.lose());
        server.onAttach(number -> answer(Collections.nCopies(3, Status.OK), List.of(7L, 8L, 9L)));
        final List<WriteOutcome> outcomes =
            batch.put(PAIRS, PAIRS, Collections.nCopies(3, PutOptions.ifAbsent()));

        assertTrue(outcomes.stream().allMatch(WriteOutcome::applied));
        assertEquals(2, server.wires.size());
        final FakeWire first = server.wires.get(0);
        for (int i = 0; i < first.sent.size(); i++)
        {
            assertArrayEquals(first.sent.get(i), server.wire().sent.get(i));
        }
    }

    @Test
    void shouldNotKnowTheFateOfAConditionThatAnotherLifeOfTheServerMayHaveEvaluated()
    {
        server.wire().onSend(() -> session.lose());
        server.forgetSessions();
        final StoreBatchException thrown = assertThrows(StoreBatchException.class, () ->
            batch.put(PAIRS, PAIRS, Collections.nCopies(3, PutOptions.ifAbsent())));

        assertInstanceOf(StoreDisconnectedException.class, thrown.getCause());
        assertEquals(WriteFate.UNKNOWN, thrown.fate(0));
    }

    @Test
    void shouldCountTheKeysThatItDeleted()
    {
        answer(List.of(Status.OK, Status.NOT_FOUND, Status.OK), List.of(0L, 0L, 0L));

        assertEquals(2, batch.delete(PAIRS));
        assertEquals(1, server.wire().doorbells());
        assertEquals(0, batch.delete(List.of()));
    }

    @Test
    void shouldTellTheFateOfEachDelete()
    {
        answer(List.of(Status.OK, Status.NOT_FOUND, Status.STORAGE_FAILED), List.of(0L, 0L, 0L));
        final StoreBatchException thrown = assertThrows(StoreBatchException.class, () -> batch.delete(PAIRS));

        assertTrue(thrown.getMessage().startsWith(
            "only a part of the keys was deleted, see the cause: keys=3 deleted=2 unknown=0"), thrown.getMessage());
        assertEquals(WriteFate.APPLIED, thrown.fate(0));
        assertEquals(WriteFate.APPLIED, thrown.fate(1));
        assertEquals(WriteFate.NOT_APPLIED, thrown.fate(2));
    }

    @Test
    void shouldRefuseWrongKeysBeforeAnythingIsDeleted()
    {
        assertThrows(NullPointerException.class, () -> batch.delete(Arrays.asList(PAIRS.get(0), null)));
        assertThrows(StoreLimitException.class, () -> batch.delete(List.of(PAIRS.get(0), new byte[0])));

        assertTrue(server.wire().sent.isEmpty());
    }

    @Test
    void shouldRefuseWrongOptionsBeforeAnythingIsPut()
    {
        assertThrows(IllegalArgumentException.class, () ->
            batch.put(PAIRS, PAIRS, List.of(PutOptions.NONE)));
        assertThrows(NullPointerException.class, () ->
            batch.put(PAIRS, PAIRS, Arrays.asList(PutOptions.NONE, null, PutOptions.NONE)));

        assertTrue(server.wire().sent.isEmpty());
    }
}
