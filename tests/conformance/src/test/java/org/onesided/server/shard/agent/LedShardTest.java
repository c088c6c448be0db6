package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.lease;
import static org.onesided.server.shard.agent.RequestMessages.put;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.codec.LeaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.log.EntryDescriptor;
import org.onesided.server.log.ItemKind;
import org.onesided.server.shard.apply.CannotApplyException;
import org.onesided.server.snapshot.SnapshotStore;

/** A shard whose log has several members, played by the test: this one leads, or not. */
class LedShardTest
{
    private static final long MEMORY = 16 << 20;
    private static final long WAIT_NS = LeaseTime.of(LoggedTable.LEASE_NS).waitNs();
    private static final String NOT_LEADING = "this server does not lead the shard any more";

    private final long[] clock = { 1_000_000 };
    private final List<String> lost = new ArrayList<>();
    private final MemoryLog log = MemoryLog.ofMember();
    private long nowNs = Long.MAX_VALUE - WAIT_NS / 2;
    @TempDir
    private Path directory;
    private LoggedTable table;

    @BeforeEach
    void setUp()
    {
        table = new LoggedTable(log, MEMORY, 1, clock, new SnapshotStore(directory.resolve("snapshots"), 1, 0, 1),
            this::onLost, () -> nowNs);
        table.recover();
    }

    @AfterEach
    void tearDown()
    {
        table.close();
    }

    private void onLost(final int session, final String why)
    {
        lost.add(why);
        if (session < LoggedTable.SESSIONS)
        {
            table.forgetConnection(session);
        }
    }

    /** Begins to lead in a term, and waits until the shard serves. */
    private void lead(final long term)
    {
        log.lead(term);
        table.stepOn();
        beginToServe();
    }

    private void beginToServe()
    {
        assertFalse(table.shard().isServing());
        nowNs += WAIT_NS;
        commit();
        assertTrue(table.shard().isServing());
    }

    /** Asks for a lease, and lets the time pass after which a full log takes another proof. */
    private void ask(final int session, final long id)
    {
        table.send(session, lease(id));
        table.stepOn();
        nowNs += LoggedTable.LEASE_NS / 4;
        table.stepOn();
    }

    private void commit()
    {
        log.commit(Integer.MAX_VALUE);
        table.stepOn();
    }

    /** Next answer to a session: the term of a lease, a status, or nothing. */
    private String answer(final int session)
    {
        final byte[] answer = table.answer(session);
        if (answer == null)
        {
            return "";
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(answer);
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, 0);
        return header.templateId() == LeaseAnswerDecoder.TEMPLATE_ID ?
            "lease in " + new LeaseAnswerDecoder().wrapAndApplyHeader(buffer, 0, header).term() :
            new WriteAnswerDecoder().wrapAndApplyHeader(buffer, 0, header).status().toString();
    }

    @Test
    void shouldGrantLeasesWhileTheLogHasNoRoomForWrites()
    {
        lead(1);
        table.connect(0);
        commit();
        log.noRoom();
        table.stepOn();
        for (int id = 1; id < 6; id += 2)
        {
            ask(0, id);
            assertEquals(1, log.proposals());
            assertEquals("", answer(0));
            commit();
            assertEquals("lease in 1", answer(0));
            table.send(0, put(id + 1, "key", new byte[10]));
            table.stepOn();
            assertEquals(Status.STORAGE_FAILED.toString(), answer(0));
        }
        assertEquals("absent", table.describe("key"));
        log.reopen();
        table.stepOn();
        table.send(0, put(7, "key", new byte[10]));
        table.stepOn();
        commit();
        assertEquals(Status.OK.toString(), answer(0));
    }

    @Test
    void shouldEndAQueuePairThatOutlivesTheRoleByWhichItCame()
    {
        shouldLoseWhatComesIn(1, "following");
        log.lead(1);
        table.stepOn();
        shouldLoseWhatComesIn(1, "in the wait");
        beginToServe();
        table.connectIn(0, 1);
        commit();
        assertEquals(List.of(), lost);
        ask(0, 1);
        assertEquals(1, log.proposals());
        commit();
        assertEquals("lease in 1", answer(0));
        log.follow();
        table.stepOn();
        lost.clear();
        lead(3);
        shouldLoseWhatComesIn(1, "in a later term");
    }

    private void shouldLoseWhatComesIn(final long term, final String when)
    {
        table.connectIn(0, term);
        table.stepOn();
        assertEquals(List.of(NOT_LEADING), lost, when);
        lost.clear();
    }

    /** Whether a proof is on its way or not. */
    @Test
    void shouldRefuseALeaseAtOnceThatCannotBeProven()
    {
        lead(1);
        table.connect(0);
        table.connect(1);
        commit();
        ask(0, 1);
        assertEquals(1, log.proposals());
        table.send(1, lease(1));
        log.fail();
        table.stepOn();
        assertEquals(Status.STORAGE_FAILED.toString(), answer(0));
        assertEquals(Status.STORAGE_FAILED.toString(), answer(1));
        table.send(0, lease(2));
        table.stepOn();
        assertEquals(Status.STORAGE_FAILED.toString(), answer(0));
        log.noRoom();
        table.stepOn();
        table.send(0, lease(3));
        table.step();
        log.noRoomAtAll();
        table.stepOn();
        assertEquals(Status.STORAGE_FAILED.toString(), answer(0));
        commit();
        assertEquals("", answer(0));
        assertNull(table.answer(1));
    }

    /** Also to a client that asks again before it is answered. */
    @Test
    void shouldRefuseEachRequestForALeaseOnceTheLogTakesNoProofs()
    {
        lead(1);
        table.connect(0);
        commit();
        log.noRoom();
        table.stepOn();
        table.send(0, lease(3));
        table.stepOn();
        log.noRoomAtAll();
        table.send(0, lease(5));
        table.stepOn();
        assertEquals(Status.BUSY.toString(), answer(0));
        assertEquals(Status.STORAGE_FAILED.toString(), answer(0));
        assertEquals("", answer(0));
    }

    @Test
    void shouldNotServeAgainInATermThatItHasReleased()
    {
        releaseOnly(1);
        log.noRoom();
        table.stepOn();
        log.reopen();
        table.stepOn();
        nowNs += WAIT_NS;
        commit();
        assertFalse(table.shard().isServing());
        lead(2);
    }

    /** Leads in a term, grants a lease, and gives up its reign. */
    private void release(final long term)
    {
        releaseOnly(term);
        log.follow();
        table.stepOn();
    }

    /** The same, and nobody else leads yet. */
    private void releaseOnly(final long term)
    {
        lead(term);
        table.connect(0);
        commit();
        ask(0, 1);
        commit();
        assertEquals("lease in " + term, answer(0));
        final CompletableFuture<Boolean> released = table.shard().release();
        table.stepOn();
        nowNs += WAIT_NS;
        commit();
        commit();
        assertTrue(released.isDone() && released.join());
        assertEquals(List.of(NOT_LEADING), lost);
        lost.clear();
    }

    private boolean isRelease(final byte[] entry)
    {
        return entry.length > EntryDescriptor.HEADER_LENGTH &&
            entry[entry.length - EntryDescriptor.ITEM_HEADER_LENGTH] == ItemKind.RELEASE.code();
    }

    @Test
    void shouldReleaseWhenNoLeaseIsHeldAndServeNoMore()
    {
        lead(1);
        table.connect(0);
        table.connect(1);
        commit();
        ask(0, 1);
        commit();
        assertEquals("lease in 1", answer(0));
        final CompletableFuture<Boolean> released = table.shard().release();
        table.stepOn();
        nowNs += WAIT_NS - 1;
        table.send(1, lease(1));
        // No more leases, but writes.
        table.send(0, put(2, "before", new byte[10]));
        table.stepOn();
        assertEquals(1, log.proposals());
        commit();
        assertEquals(Status.OK.toString(), answer(0));
        assertEquals("", answer(1));
        assertTrue(log.entries().stream().noneMatch(this::isRelease));
        nowNs++;
        table.send(0, put(3, "with", new byte[10]));
        table.stepOn();
        table.send(0, put(4, "behind", new byte[10]));
        table.stepOn();
        assertEquals(1, log.proposals());
        assertEquals(Status.NOT_LEADING.toString(), answer(0));
        assertFalse(released.isDone());
        commit();
        assertTrue(isRelease(log.entries().get(log.entries().size() - 1)));
        assertTrue(released.isDone() && released.join());
        assertEquals(Status.OK.toString(), answer(0));
        assertFalse(table.shard().isServing());
        assertEquals(List.of(NOT_LEADING, NOT_LEADING), lost);
        assertNotEquals("absent", table.describe("with"));
        assertEquals("absent", table.describe("behind"));
        nowNs += WAIT_NS;
        commit();
        assertFalse(table.shard().isServing(), "it never serves again in this term");
    }

    @Test
    void shouldServeWithoutAWaitBehindARelease()
    {
        release(1);
        log.lead(2);
        table.stepOn();
        assertTrue(table.shard().isServing());
        commit();
        table.connect(0);
        commit();
        ask(0, 2);
        commit();
        assertEquals("lease in 2", answer(0));
    }

    @Test
    void shouldWaitIfTheReleaseIsNotTheLastEntryBeforeItsOwn()
    {
        release(1);
        // One that led in between, if only for a moment.
        log.lead(2);
        log.follow();
        table.stepOn();
        lead(3);
        log.follow();
        table.stepOn();
        release(4);
        log.commit(proof());
        table.stepOn();
        lead(6);
    }

    private static byte[] proof()
    {
        final byte[] proof = new byte[EntryDescriptor.HEADER_LENGTH];
        EntryDescriptor.writeHeader(new UnsafeBuffer(proof), 0, 0, 99, -1);
        return proof;
    }

    @Test
    void shouldGiveTheReleaseUpWhenItLeadsNoMoreOrDoesNotServe()
    {
        assertFalse(release().join());
        log.lead(1);
        table.stepOn();
        assertFalse(release().join());
        beginToServe();
        final CompletableFuture<Boolean> released = release();
        assertFalse(released.isDone());
        log.follow();
        table.stepOn();
        assertFalse(released.join());
        lead(2);
        log.noRoom();
        table.stepOn();
        assertFalse(release().join());
    }

    private CompletableFuture<Boolean> release()
    {
        final CompletableFuture<Boolean> released = table.shard().release();
        table.stepOn();
        return released;
    }

    /** Of a leader of a later version: what this one would make of it is not what others do. */
    @Test
    void shouldEndAtAnEntryThatItDoesNotKnowAndNeverGoBehindIt()
    {
        lead(1);
        table.connect(0);
        commit();
        table.send(0, put(1, "key", new byte[10]));
        table.stepOn();
        commit();
        final List<byte[]> entries = log.entries().stream().filter((entry) -> entry.length > 0).toList();
        final byte[] write = entries.stream().max(Comparator.comparingInt((entry) -> entry.length)).orElseThrow();
        assertNotEquals("absent", table.describe("key"));

        final byte[] format = write.clone();
        format[EntryDescriptor.FORMAT_OFFSET]++;
        endAt(format, "of a format that this version does not read", write, entries);
        final byte[] kind = write.clone();
        kind[EntryDescriptor.HEADER_LENGTH + EntryDescriptor.ITEM_KIND_OFFSET] = (byte)(ItemKind.values().length + 1);
        endAt(kind, "kind of an item is not known", write, entries);
    }

    /** In the log before the write. Each start ends there, too. */
    private void endAt(final byte[] entry, final String why, final byte[] write, final List<byte[]> entries)
    {
        final List<byte[]> all = new ArrayList<>(entries.subList(0, entries.indexOf(write)));
        all.add(entry);
        all.add(write);
        for (int start = 0; start < 2; start++)
        {
            try (LoggedTable again = new LoggedTable(
                new MemoryLog(all, 0), MEMORY, 1, clock, new SnapshotStore(directory.resolve("other"), 1, 0, 1),
                this::onLost, () -> nowNs))
            {
                final String message = assertThrows(CannotApplyException.class, again::recover).getMessage();
                assertTrue(message.contains(why), message);
                assertEquals("absent", again.describe("key"));
            }
        }
    }

    @Test
    void shouldTellOfItsReignAndItsLeases()
    {
        assertEquals("FOLLOWS 0 held 0 of 0, proofs 0", reign());
        log.lead(1);
        table.stepOn();
        assertEquals("WAITS " + WAIT_NS + " held 0 of 0, proofs 0", reign());
        beginToServe();
        assertEquals("SERVES 0 held 0 of 0, proofs 0", reign());
        table.connect(0);
        commit();
        ask(0, 1);
        assertEquals("SERVES 0 held 0 of 0, proofs 1", reign(), "the proof is not committed");
        commit();
        assertEquals("SERVES 0 held 1 of 1, proofs 1", reign());

        table.send(0, put(2, "key", new byte[10]));
        ask(0, 3);
        commit();
        assertEquals("SERVES 0 held 1 of 2, proofs 1", reign(), "a write is a proof");

        final CompletableFuture<Boolean> released = release();
        assertEquals("HANDS_OVER " + WAIT_NS + " held 1 of 2, proofs 1", reign());
        nowNs += WAIT_NS;
        table.stepOn();
        commit();
        assertTrue(released.join());
        log.follow();
        table.stepOn();
        assertEquals("FOLLOWS 0 held 0 of 2, proofs 1", reign());
    }

    private String reign()
    {
        final ReignMetrics reign = table.shard().metrics().reign();
        return reign.stage() + " " + reign.restNs() + " held " + reign.held() + " of " + reign.granted() +
            ", proofs " + reign.proofs();
    }
}
