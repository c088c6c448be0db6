package org.onesided.server.raft;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.onesided.server.raft.peers.SnapshotExchange;
import org.onesided.waiting.Pause;

/**
 * What Ratis sees of a shard: hands committed entries over, and tells the shard's log what becomes of the group. A
 * group that is opened anew gets a new one, and calls of the one before are ignored.
 */
final class ShardStateMachine extends BaseStateMachine
{
    private static final CompletableFuture<Message> DONE = CompletableFuture.completedFuture(Message.EMPTY);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final GroupEvents events;
    private final HandOver handOver;
    /** Null in a group of one. */
    private final SnapshotExchange exchange;
    private final Proposals proposals = new Proposals();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile TermIndex purged;
    private volatile boolean isDraining;
    private volatile boolean detached;
    /** Ratis' own entry that its updater has looked at last. */
    private TermIndex configuration;

    /**
     * @param events   hears what becomes of the group.
     * @param handOver takes the entries.
     * @param start    is the last entry that need not be handed over, or null to begin with the first.
     * @param exchange of snapshots with other members; null in a group of one.
     */
    ShardStateMachine(
        final GroupEvents events,
        final HandOver handOver,
        final TermIndex start,
        final SnapshotExchange exchange)
    {
        this.exchange = exchange;
        this.events = events;
        this.handOver = handOver;
        purged = start;
        if (start != null)
        {
            setLastAppliedTermIndex(start);
        }
    }

    /** Completes when all entries that the log had are handed over and this server leads, or when the log fails. */
    CompletableFuture<Void> ready()
    {
        return ready;
    }

    Proposals proposals()
    {
        return proposals;
    }

    void purged(final TermIndex last)
    {
        purged = last;
    }

    /** Whether the log has failed, and hands over what it has committed. The group must not be closed meanwhile. */
    boolean isDraining()
    {
        return isDraining;
    }

    /** Ends its influence: what Ratis' threads still tell is ignored. */
    void detach()
    {
        detached = true;
    }

    @Override
    public void initialize(final RaftServer raftServer, final RaftGroupId raftGroupId, final RaftStorage storage)
        throws IOException
    {
        super.initialize(raftServer, raftGroupId, storage);
        getLifeCycle().startAndTransition(() -> {});
    }

    @Override
    public TransactionContext startTransaction(final RaftClientRequest request)
    {
        return TransactionContext.newBuilder()
            .setStateMachine(this)
            .setClientRequest(request)
            .setStateMachineContext(request.getMessage())
            .build();
    }

    /**
     * Called when the entry is about to be appended, with Ratis' locks held: neither the term nor the role can change
     * until it is. The shard has looked before, without these locks, and the group may have had another leader since.
     */
    @Override
    public TransactionContext preAppendTransaction(final TransactionContext transaction) throws IOException
    {
        if (transaction.getStateMachineContext() instanceof Proposal proposal)
        {
            final long present = events.term();
            if (proposal.term() != present)
            {
                throw new StaleProposalException(proposal.term(), present);
            }
            proposal.appending();
        }
        return transaction;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(final TransactionContext transaction)
    {
        final LogEntryProto entry = transaction.getLogEntry();
        if (!detached)
        {
            final byte[] bytes = transaction.getStateMachineContext() instanceof Proposal proposal ?
                proposal.bytes() : entry.getStateMachineLogEntry().getLogData().toByteArray();
            handOver.entry(entry.getTerm(), entry.getIndex(), bytes);
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return DONE;
    }

    /** Called before {@link #notifyLeaderReady}, which is about the same entry. */
    @Override
    public void notifyConfigurationChanged(
        final long term, final long index, final RaftConfigurationProto newRaftConfiguration)
    {
        configuration = TermIndex.valueOf(term, index);
    }

    @Override
    public void notifyLeaderReady()
    {
        if (!detached)
        {
            events.onLeader(configuration.getTerm(), configuration.getIndex());
            ready.complete(null);
        }
    }

    @Override
    public void notifyNotLeader(final Collection<TransactionContext> pendingEntries)
    {
        // A group of one tells this when it closes: then the next proposal fails.
        if (!detached && exchange != null)
        {
            events.onDeposed();
        }
    }

    @Override
    public void notifyLeaderChanged(final RaftGroupMemberId groupMemberId, final RaftPeerId newLeaderId)
    {
        if (!detached)
        {
            events.onLeaderKnown(newLeaderId);
        }
    }

    /** A snapshot has come, and is about to take the place of what was handed over. */
    @Override
    public void pause()
    {
        if (getLifeCycleState() == LifeCycle.State.RUNNING)
        {
            getLifeCycle().transition(LifeCycle.State.PAUSING);
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
    }

    /** Called by the thread that hands entries over, between those before the snapshot and those behind it. */
    @Override
    public void reinitialize() throws IOException
    {
        final TermIndex last = exchange.adopt();
        if (last == null)
        {
            throw new IOException("snapshot of the leader is missing: last=" + getLastAppliedTermIndex());
        }
        setLastAppliedTermIndex(last);
        purged = last;
        getLifeCycle().startAndTransition(() -> {});
        if (!detached)
        {
            events.onInstalled(last.getIndex());
        }
    }

    /**
     * Called by the thread that writes the log, which closes the log when this returns. An interrupted one closes it
     * better: it does not write again what it could not write, does not wait for threads that wait for it, and does not
     * wait 3 seconds for its own end.
     */
    @Override
    public void notifyLogFailed(final Throwable cause, final LogEntryProto failedEntry)
    {
        if (!detached)
        {
            isDraining = true;
            ready.completeExceptionally(cause);
            events.onFailed(cause);
            drain();
            isDraining = false;
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for the threads that use the log, before it closes. Ratis' updater must not find it closed while there are
     * committed entries to apply: it would never end, and neither would closing the group.
     */
    private void drain()
    {
        final long deadlineNs = System.nanoTime() + DRAIN_NS;
        final RaftLog raftLog = events.raftLog();
        Pause.until(deadlineNs, WAIT_NS, () -> detached || !events.isProposing() &&
            (raftLog == null || getLastAppliedTermIndex().getIndex() >= raftLog.getFlushIndex()));
    }

    /** The shard takes snapshots by itself: this tells up to where the log is not needed any more. */
    @Override
    public long takeSnapshot()
    {
        final TermIndex last = purged;
        return last == null ? RaftLog.INVALID_LOG_INDEX : last.getIndex();
    }

    @Override
    public SnapshotInfo getLatestSnapshot()
    {
        if (exchange != null)
        {
            return exchange.latest();
        }
        final TermIndex last = purged;
        return last == null ? null : new Snapshot(last);
    }

    private record Snapshot(TermIndex last) implements SnapshotInfo
    {
        @Override
        public TermIndex getTermIndex()
        {
            return last;
        }

        @Override
        public List<FileInfo> getFiles()
        {
            return List.of();
        }
    }
}
