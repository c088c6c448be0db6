package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.statemachine.TransactionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.log.LogListener;
import org.onesided.server.raft.peers.SnapshotExchange;

/** The log of a member whose Ratis is played by the test. */
class RaftShardLogTest
{
    private static final RaftGroupMemberId MEMBER =
        RaftGroupMemberId.valueOf(RaftPeerId.valueOf("1"), RaftGroupId.randomId());
    private static final int LENGTH = 100;

    @TempDir
    private Path directory;
    /** What has happened to the log, as the shard hears it. */
    private final List<String> heard = new ArrayList<>();
    private final ArrayDeque<CompletableFuture<RaftClientReply>> replies = new ArrayDeque<>();
    private long term;
    private RaftClientRequest latest;
    private ShardStateMachine machine;

    private final LogListener listener = new LogListener()
    {
        @Override
        public void onEntry(
            final long index, final long ofTerm, final DirectBuffer entry, final int offset, final int length)
        {
            heard.add("entry");
        }

        @Override
        public void onReady()
        {
            heard.add("ready");
        }

        @Override
        public void onFailed(final String reason)
        {
            heard.add("failed");
        }

        @Override
        public void onLeading(final long ofTerm, final long index)
        {
            assertEquals(2 * ofTerm, index);
            heard.add("leading " + ofTerm);
        }

        @Override
        public void onFollowing(final long ofTerm, final long leader)
        {
            heard.add("following");
        }
    };

    @SuppressWarnings("unchecked")
    private static <T> T play(final InvocationHandler handler, final Class<?>... types)
    {
        return (T)Proxy.newProxyInstance(RaftShardLogTest.class.getClassLoader(), types, handler);
    }

    private RaftShardLog log()
    {
        final DivisionInfo info = play((proxy, method, arguments) ->
            method.getName().equals("getCurrentTerm") ? term : null, DivisionInfo.class);
        final RaftServer.Division division = play((proxy, method, arguments) ->
        {
            if (method.getName().equals("submitClientRequestAsync"))
            {
                latest = (RaftClientRequest)arguments[0];
                return replies.remove();
            }
            return method.getName().equals("getInfo") ? info : null;
        }, RaftServer.Division.class, RaftClientAsynchronousProtocol.class);
        final RaftServer server = play((proxy, method, arguments) ->
            method.getName().equals("getDivision") ? division : null, RaftServer.class);
        final RaftShardLog log = new RaftShardLog(server, MEMBER, directory, LogStart.withoutSnapshot(() -> {}),
            (failed) -> heard.add("stopped"), new SnapshotExchange(directory, null));
        machine = log.newStateMachine(null);
        return log;
    }

    private void lead(final long ofTerm)
    {
        term = ofTerm;
        machine.notifyConfigurationChanged(ofTerm, 2 * ofTerm, null);
        machine.notifyLeaderReady();
    }

    private List<String> heard(final RaftShardLog log)
    {
        while (log.poll(listener, 1) > 0)
        {
            // All of it.
        }
        final List<String> all = List.copyOf(heard);
        heard.clear();
        return all;
    }

    private static boolean tryPropose(final RaftShardLog log)
    {
        return log.tryPropose(new UnsafeBuffer(new byte[LENGTH]), 0, LENGTH);
    }

    private void append() throws Exception
    {
        machine.preAppendTransaction(TransactionContext.newBuilder().setStateMachine(machine)
            .setClientRequest(latest).setStateMachineContext(latest.getMessage()).build());
    }

    private static CompletableFuture<RaftClientReply> failed(final RaftException why)
    {
        return CompletableFuture.failedFuture(new CompletionException(why));
    }

    @Test
    void shouldHoldUpAProposalThatRatisHasNoRoomFor()
    {
        final RaftShardLog log = log();
        lead(1);
        assertEquals(List.of("following", "leading 1", "ready"), heard(log));
        replies.add(failed(new ResourceUnavailableException("no room")));
        replies.add(new CompletableFuture<>());
        assertFalse(tryPropose(log));
        assertTrue(log.isIdle(), "it is not on its way");
        assertEquals(LogState.OPEN, log.state());
        assertTrue(tryPropose(log));
        assertFalse(log.isIdle());
        assertEquals(List.of(), heard(log));
    }

    @Test
    void shouldTakeAnAppendedProposalWithoutRoomForTheEndOfTheReign() throws Exception
    {
        final RaftShardLog log = log();
        lead(1);
        heard(log);
        final CompletableFuture<RaftClientReply> reply = new CompletableFuture<>();
        replies.add(reply);
        assertTrue(tryPropose(log));
        append();
        reply.completeExceptionally(new ResourceUnavailableException("no room"));
        assertEquals(List.of("following"), heard(log));
        assertEquals(LogState.FOLLOWING, log.state());
    }

    @Test
    void shouldNotLetAProposalOfAnEarlierTermBeAppended() throws Exception
    {
        final RaftShardLog log = log();
        lead(1);
        heard(log);
        final CompletableFuture<RaftClientReply> reply = new CompletableFuture<>();
        replies.add(reply);
        assertTrue(tryPropose(log));
        append();
        lead(3);
        assertEquals(List.of("following", "leading 3", "ready"), heard(log));
        final StaleProposalException stale = assertThrows(StaleProposalException.class, this::append);
        assertFalse(stale.leaderShouldStepDown());
        reply.completeExceptionally(stale);
        assertEquals(List.of(), heard(log));
        assertEquals(LogState.OPEN, log.state());
    }

    /** A reign whose beginning Ratis told behind its end. */
    @Test
    void shouldBeginAReignAlthoughTheEndOfTheOneBeforeWasNotTold()
    {
        final RaftShardLog log = log();
        lead(1);
        lead(2);
        assertEquals(List.of("following", "leading 1", "ready", "following", "leading 2", "ready"), heard(log));
        replies.add(new CompletableFuture<>());
        assertTrue(tryPropose(log));
        assertEquals(2, ((Proposal)latest.getMessage()).term());
    }

    @Test
    void shouldTakeProofsOnlyWhereLittleRoomIsLeft()
    {
        final RaftShardLog log = log();
        lead(1);
        heard(log);
        final UnsafeBuffer proof = new UnsafeBuffer(new byte[LENGTH]);
        assertFalse(log.tryProve(proof, 0, LENGTH));
        log.stand().noRoom("little", false);
        assertEquals(List.of("failed"), heard(log));
        replies.add(new CompletableFuture<>());
        assertFalse(tryPropose(log));
        assertTrue(log.takesProofs());
        assertTrue(log.tryProve(proof, 0, LENGTH));
        log.stand().noRoom("very little", true);
        assertFalse(log.takesProofs());
        assertFalse(log.tryProve(proof, 0, LENGTH));
        // A proof is on its way: what was proposed before is not settled yet.
        log.stand().room();
        assertEquals(List.of(), heard(log));
    }
}
