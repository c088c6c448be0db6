package org.onesided.server.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.RequestMessages.lease;
import static org.onesided.server.shard.RequestMessages.put;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.codec.LeaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.testing.HangGuard;

/** A shard whose log has several members, played by the test: this one leads, or not. */
class LedShardTest
{
    private static final long MEMORY = 16 << 20;
    private static final long PAUSE_NS = 100_000;

    private final long[] clock = { 1_000_000 };
    private final List<String> lost = new ArrayList<>();
    private final MemoryLog log = MemoryLog.ofMember();
    @TempDir
    private Path directory;
    private LoggedTable table;

    @BeforeEach
    void setUp()
    {
        table = new LoggedTable(log, MEMORY, 1, clock, new SnapshotStore(directory.resolve("snapshots"), 1, 0, 1),
            (session, why) -> lost.add(why));
        table.recover();
    }

    @AfterEach
    void tearDown()
    {
        table.close();
    }

    /** Begins to lead in a term, and waits until the shard serves. */
    private void lead(final long term)
    {
        log.lead(term);
        commitUntilServing();
    }

    private void commitUntilServing()
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        while (!table.shard().isServing())
        {
            assertTrue(System.nanoTime() - endNs < 0, "the shard does not serve");
            table.step();
            log.commit(1);
            LockSupport.parkNanos(PAUSE_NS);
        }
        table.stepOn();
        log.commit(Integer.MAX_VALUE);
        table.stepOn();
    }

    /** Steps until the log has a proposal. */
    private void awaitProposal()
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        while (log.proposals() == 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, "nothing is proposed");
            table.step();
            LockSupport.parkNanos(PAUSE_NS);
        }
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
            table.send(0, lease(id));
            awaitProposal();
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
        commitUntilServing();
        table.connectIn(0, 1);
        commit();
        assertEquals(List.of(), lost);
        table.send(0, lease(1));
        awaitProposal();
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
        assertEquals(List.of("this server does not lead the shard any more"), lost, when);
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
        table.send(0, lease(1));
        awaitProposal();
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
}
