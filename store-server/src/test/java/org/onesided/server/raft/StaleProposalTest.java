package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;

/** Three members of a log, whose leader's thread stands still inside Ratis while another one leads. */
class StaleProposalTest
{
    private static final long TABLE = 7;
    private static final int MEMBERS = 3;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long TRANSFER_MS = 5000;
    private static final int LENGTH = 100;
    /** Where Ratis lets tests in: a request of a client is about to be appended, and no lock is held. */
    private static final String APPEND = "RaftServerImpl.appendTransaction";

    @TempDir
    private Path directory;
    private final List<RaftLogs> logs = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    @BeforeEach
    void setUp() throws Exception
    {
        final List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++)
        {
            peers.add(new Peer(i + 1, new InetSocketAddress("127.0.0.1", FreePorts.take())));
        }
        for (int i = 0; i < MEMBERS; i++)
        {
            logs.add(RaftLogs.open(
                new RaftLogOptions(directory.resolve(Integer.toString(i)), TABLE).reserveBytes(0)
                    .peers(Peers.founding(i + 1, peers), (shard) -> new NoSnapshots()),
                List.of(LogStart.withoutSnapshot(() -> {}))));
        }
    }

    @AfterEach
    void tearDown()
    {
        CodeInjectionForTesting.remove(APPEND);
        released.countDown();
        logs.forEach(RaftLogs::close);
    }

    /** A shard that has none. */
    private static final class NoSnapshots implements SnapshotFiles
    {
        @Override
        public Newest newest()
        {
            return null;
        }

        @Override
        public void adopt(final Path file) throws IOException
        {
            throw new IOException("there are none: file=" + file);
        }
    }

    private RaftShardLog log(final int member)
    {
        return logs.get(member).log(0);
    }

    private int awaitLeader() throws InterruptedException
    {
        final AtomicReference<Integer> leader = new AtomicReference<>();
        await("leader", () ->
        {
            for (int i = 0; i < MEMBERS; i++)
            {
                if (log(i).state() == LogState.OPEN)
                {
                    leader.set(i);
                }
            }
            return leader.get() != null;
        });
        return leader.get();
    }

    private static void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "waited too long: " + what);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Lets another member lead; tries again on a busy machine. */
    private void transfer(final int from, final int to) throws InterruptedException
    {
        await("transfer", () ->
        {
            try
            {
                log(from).admin().transfer(to + 1, TRANSFER_MS)
                    .get(2 * TRANSFER_MS, TimeUnit.MILLISECONDS);
            }
            catch (final ExecutionException | TimeoutException | InterruptedException e)
            {
                return log(to).state() == LogState.OPEN;
            }
            return true;
        });
        await("leading", () -> log(to).state() == LogState.OPEN);
    }

    @Test
    void shouldNotAppendADraftOfAnEarlierReign() throws Exception
    {
        final int leader = awaitLeader();
        final LogUser user = new LogUser(log(leader));
        user.awaitReady();
        user.propose(3, LENGTH);
        final CountDownLatch entered = new CountDownLatch(1);
        CodeInjectionForTesting.put(APPEND, (local, remote, arguments) ->
        {
            if (((RaftClientRequest)arguments[0]).getMessage() instanceof Proposal && entered.getCount() > 0)
            {
                entered.countDown();
                try
                {
                    return released.await(PATIENCE_NS, TimeUnit.NANOSECONDS);
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                }
            }
            return true;
        });
        final AtomicBoolean isTaken = new AtomicBoolean();
        final Thread shard = new Thread(() -> isTaken.set(user.tryPropose(LENGTH)), "stopped-shard");
        shard.start();
        assertTrue(entered.await(PATIENCE_NS, TimeUnit.NANOSECONDS), "nothing was proposed");
        final int other = (leader + 1) % MEMBERS;
        transfer(leader, other);
        transfer(other, leader);
        released.countDown();
        shard.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
        assertTrue(isTaken.get(), "the proposal did not come back");
        user.awaitReady();
        assertEquals(List.of(), user.failures());
        assertEquals(LogState.OPEN, log(leader).state());
        // Entry 3 is not in the log: 4 follows 2.
        user.propose(1, LENGTH);
        assertEquals(4, user.entries(), "a draft of an earlier reign is in the log");
    }
}
