package org.onesided.server.raft;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who keeps a shard's log, and changes of that, by one member at a time (Ongaro, "Consensus: Bridging Theory and
 * Practice", section 4.1): Ratis has joint consensus, and may lose it when a leader changes. Thread-safe.
 */
public final class GroupMembers
{
    private static final Logger LOGGER = LoggerFactory.getLogger(GroupMembers.class);

    private final RaftServer server;
    private final RaftGroupMemberId self;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callId = new AtomicLong();

    GroupMembers(final RaftServer server, final RaftGroupMemberId self)
    {
        this.server = server;
        this.self = self;
    }

    /**
     * The members that the log says there are: committed, and of no change that is under way.
     *
     * @return all of them, by their numbers; without this one if it was removed. Empty if that is not known.
     */
    public List<Peer> committed()
    {
        final RaftServer.Division division = division();
        if (division == null)
        {
            return List.of();
        }
        final RaftConfiguration present = division.getRaftConf();
        return present.getPreviousPeers().isEmpty() &&
            present.getLogEntryIndex() <= division.getRaftLog().getLastCommittedIndex() ?
            Peers.of(present.getCurrentPeers()) : List.of();
    }

    /**
     * Tells whether members can be changed, and leaders moved: no change is under way.
     *
     * @param followers numbers of those that the leader sends to, those of a change under way included.
     * @return whether it is so.
     */
    public boolean isAtRest(final Collection<Long> followers)
    {
        return committed().stream().map(Peer::number).toList().containsAll(followers);
    }

    /**
     * Tells whether the log could do without this member: it never had it; its last entry about members, committed or
     * not, is without it, as a removed member may never get a later one; or the group was closed, as others told it.
     *
     * @return whether it could; that alone does not mean that it was removed.
     */
    public boolean isPerhapsRemoved()
    {
        final RaftServer.Division division = division();
        return hasEnded() || division != null && division.getRaftConf().getCurrentPeers().stream()
            .noneMatch((peer) -> peer.getId().equals(self.getPeerId()));
    }

    /**
     * @return whether this member keeps the log, as far as that says; not if a change that is under way is without it,
     *         or if the group was closed, as others told it that it was removed.
     */
    public boolean isKept()
    {
        final RaftServer.Division division = division();
        return division != null && !hasEnded() && division.getRaftConf().getCurrentPeers().stream()
            .anyMatch((peer) -> peer.getId().equals(self.getPeerId()));
    }

    /**
     * @return whether Ratis has closed the group by itself: it does so if it finds itself in no majority that it asks.
     */
    public boolean hasEnded()
    {
        final RaftServer.Division division = division();
        return division != null && !division.getInfo().isAlive();
    }

    /**
     * @return whether a leader of the log is known: this member leads, or follows another one that does. A leader that
     *         has only tried to take this member in is none: if it gives that up, Ratis remembers it for ever.
     */
    public boolean isLed()
    {
        final RaftServer.Division division = division();
        return division != null && (division.getInfo().isLeader() ||
            division.getInfo().getLifeCycleState().isRunning() && division.getInfo().getLeaderId() != null);
    }

    /** What other members say about this one. */
    enum Departure
    {
        /** None says that the log goes on without this member. That means nothing. */
        UNKNOWN,
        /**
         * One says so that leads in an earlier term than this member knows. A later leader may have taken this member
         * in again; or this one has just stood for election in vain, and the other leads still.
         */
        DOUBTFUL,
        /** A leader says so. */
        CERTAIN
    }

    /**
     * Asks other members whether the log goes on without this one. That is so if one of them leads, and knows that the
     * members are committed, and that this one is none of them. Blocks for as long as they take to answer.
     *
     * @param known members to ask besides those that this one's log has: the log may have got others since, and one of
     *              them may lead.
     * @return what they say.
     */
    Departure askWhetherLeft(final List<Peer> known)
    {
        final RaftServer.Division division = division();
        if (division == null)
        {
            return Departure.UNKNOWN;
        }
        final List<RaftPeer> all = Stream.of(division.getRaftConf().getPreviousPeers(),
            division.getRaftConf().getCurrentPeers(), Peers.raftPeers(known)).flatMap(Collection::stream).toList();
        server.getServerRpc().addRaftPeers(all);
        Departure said = Departure.UNKNOWN;
        for (final RaftPeerId peer : all.stream().map(RaftPeer::getId).distinct().toList())
        {
            if (said != Departure.CERTAIN && !peer.equals(self.getPeerId()))
            {
                final Departure answer = askWhetherLeft(peer, division.getInfo().getCurrentTerm());
                said = answer.compareTo(said) > 0 ? answer : said;
            }
        }
        return said;
    }

    /**
     * A question that precedes an election changes nothing at whoever is asked. Nobody says yes to it, as this member
     * says that it has no entries. But a leader adds whether it is sure that this one is no member.
     */
    private Departure askWhetherLeft(final RaftPeerId peer, final long term)
    {
        try
        {
            final RequestVoteReplyProto reply = server.getServerRpc().requestVote(RequestVoteRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                    .setRequestorId(self.getPeerId().toByteString())
                    .setReplyId(peer.toByteString())
                    .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(self.getGroupId()))
                    .setCallId(callId.incrementAndGet()))
                .setCandidateTerm(term)
                .setCandidateLastEntry(TermIndexProto.newBuilder())
                .setPreVote(true)
                .build());
            return !reply.getShouldShutdown() ? Departure.UNKNOWN :
                reply.getTerm() >= term ? Departure.CERTAIN : Departure.DOUBTFUL;
        }
        catch (final IOException | RuntimeException e)
        {
            LOGGER.debug("member does not say whether this one has left: group={} member={}", self, peer, e);
            return Departure.UNKNOWN;
        }
    }

    /** Null if the group is not open. */
    private RaftServer.Division division()
    {
        try
        {
            return server.getDivision(self.getGroupId());
        }
        catch (final IOException e)
        {
            return null;
        }
    }

    /**
     * Changes the members, one at a time: others come first, and then some leave. To be called where this member leads;
     * what it takes over from others goes on meanwhile. If it fails, some of that may be done.
     *
     * @param before all members now, by their numbers.
     * @param after  all members from now on.
     * @return completes when they are, and those that are new have all entries; fails with a
     *         {@link MembersChangeException} if this member does not lead, if the members are others than said, if
     *         another change is under way, or if a new one cannot be reached.
     */
    public CompletableFuture<Void> change(final Collection<Long> before, final List<Peer> after)
    {
        final RaftServer.Division division = division();
        if (division == null || !division.getInfo().isLeader())
        {
            return CompletableFuture.failedFuture(MembersChangeException.notLeading(null));
        }
        final List<Peer> present = Peers.of(division.getRaftConf().getCurrentPeers());
        if (!Set.copyOf(before).equals(present.stream().map(Peer::number).collect(Collectors.toSet())))
        {
            return CompletableFuture.failedFuture(MembersChangeException.overtaken(null));
        }
        final List<Long> silent = GroupAdmin.followers(
            division.getInfo(), division.getRaftLog().getLastCommittedIndex()).stream()
            .filter((each) -> !each.isAlive()).map(Follower::member).toList();
        return MemberSteps.take(
            present, after, silent, (members) -> isFollowedBy(members, Set.copyOf(before)), this::ask);
    }

    /**
     * Whether all of these have the newest entry about members, and take part since then. Of those that have been there
     * before, only those that answer: one that has come may be silent as it begins anew.
     */
    private boolean isFollowedBy(final Collection<Long> members, final Collection<Long> before)
    {
        final RaftServer.Division division = division();
        if (division == null || !division.getInfo().isLeader())
        {
            // Nothing will be asked for any more.
            return true;
        }
        final long committed = division.getRaftLog().getLastCommittedIndex();
        final long newest = division.getRaftConf().getLogEntryIndex();
        final Map<Long, Follower> followers = GroupAdmin.followers(division.getInfo(), committed).stream()
            .collect(Collectors.toMap(Follower::member, (each) -> each));
        final long own = Peer.number(self.getPeerId());
        return members.stream().filter((each) -> each != own).map(followers::get).allMatch((each) -> each != null &&
            (committed - each.behind() >= newest || before.contains(each.member()) && !each.isAlive()));
    }

    /**
     * Asks Ratis for a change in one step, which is safe for one member only. Ratis refuses it while another one is
     * under way, and until the leader is ready ({@code RaftServerImpl.checkLeaderState}): the first entry of its own
     * term is committed and applied, so no leader before it can still commit a change that it does not know.
     */
    CompletableFuture<Void> ask(final Collection<Long> before, final List<Peer> after)
    {
        try
        {
            return server.setConfigurationAsync(new SetConfigurationRequest(
                clientId, self.getPeerId(), self.getGroupId(), callId.incrementAndGet(),
                SetConfigurationRequest.Arguments.newBuilder()
                    .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                    .setServersInCurrentConf(before.stream().map(Peer::idOnly).toList())
                    .setServersInNewConf(Peers.raftPeers(after))
                    .build()))
                .handle(GroupMembers::done).thenCompose((done) -> done);
        }
        catch (final IOException | IllegalStateException e)
        {
            return CompletableFuture.failedFuture(MembersChangeException.of(e));
        }
    }

    private static CompletableFuture<Void> done(final RaftClientReply reply, final Throwable failure)
    {
        final Throwable cause = failure != null ? failure : reply.isSuccess() ? null : reply.getException();
        return cause == null ? CompletableFuture.completedFuture(null) :
            CompletableFuture.failedFuture(MembersChangeException.of(cause));
    }
}
