package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.LeaderInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.junit.jupiter.api.Test;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;

/** What a leader asks of Ratis, which changes everything at once that it is asked for. */
class GroupMembersTest
{
    private static final int FIRST_PORT = 7000;
    private static final long LONGEST_SECONDS = 60;

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private List<Long> followers = List.of(2L, 3L, 4L);
    private long silent;
    private boolean isLeader = true;

    private static List<Peer> peers(final long... numbers)
    {
        return Arrays.stream(numbers).mapToObj((number) ->
            new Peer(number, Peer.address("127.0.0.1:" + (FIRST_PORT + number)))).toList();
    }

    /** Answers what is named, and nothing else. */
    private static <T> T fake(final Class<T> type, final Map<String, Function<Object[], Object>> answers)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
            (proxy, method, arguments) -> answers.get(method.getName()).apply(arguments)));
    }

    private static String numbers(final Collection<RaftPeer> peers)
    {
        return peers.stream().map((peer) -> peer.getId().toString()).sorted().collect(Collectors.joining(","));
    }

    private Object note(final SetConfigurationRequest request)
    {
        asked.add(request.getArguments().getMode() + " " + numbers(request.getArguments().getServersInCurrentConf()) +
            " " + numbers(request.getArguments().getServersInNewConf()));
        return CompletableFuture.completedFuture(
            RaftClientReply.newBuilder().setRequest(request).setSuccess().build());
    }

    private GroupMembers members(final List<Peer> present)
    {
        final DivisionInfo info = fake(DivisionInfo.class, Map.of(
            "isLeader", (none) -> isLeader,
            "getFollowerMatchIndices", (none) -> followers.stream().mapToLong((each) -> 1).toArray(),
            "getRoleInfoProto", (none) -> RoleInfoProto.newBuilder().setLeaderInfo(LeaderInfoProto.newBuilder()
                .addAllFollowerInfo(followers.stream().map((each) -> ServerRpcProto.newBuilder()
                    .setId(RaftPeerProto.newBuilder().setId(Peer.id(each).toByteString()))
                    .setLastRpcElapsedTimeMs(each == silent ? 60_000 : 0).build()).toList())).build()));
        final RaftServer.Division division = fake(RaftServer.Division.class, Map.of(
            "getInfo", (none) -> info,
            "getRaftConf", (none) -> fake(RaftConfiguration.class, Map.of(
                "getCurrentPeers", (all) -> Peers.raftPeers(present), "getLogEntryIndex", (all) -> 1L)),
            "getRaftLog", (none) -> fake(RaftLog.class, Map.of("getLastCommittedIndex", (all) -> 1L))));
        return new GroupMembers(fake(RaftServer.class, Map.of(
            "getDivision", (group) -> division,
            "setConfigurationAsync", (request) -> note((SetConfigurationRequest)request[0]))),
            RaftGroupMemberId.valueOf(Peer.id(1), RaftGroupId.randomId()));
    }

    private static MembersChangeException.Kind failure(final CompletableFuture<Void> change)
    {
        return ((MembersChangeException)assertThrows(ExecutionException.class, () ->
            change.get(LONGEST_SECONDS, TimeUnit.SECONDS)).getCause()).kind();
    }

    @Test
    void shouldAskForOneMemberAtATime() throws Exception
    {
        members(peers(1, 2, 3)).change(List.of(3L, 2L, 1L), peers(1, 2, 4)).get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertEquals(List.of("COMPARE_AND_SET 1,2,3 1,2,3,4", "COMPARE_AND_SET 1,2,3,4 1,2,4"), asked);
    }

    @Test
    void shouldLetASilentMemberLeaveInTheSameStep() throws Exception
    {
        silent = 3;
        members(peers(1, 2, 3)).change(List.of(3L, 2L, 1L), peers(1, 2, 4)).get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertEquals(List.of("COMPARE_AND_SET 1,2,3 1,2,4"), asked);
    }

    /** It begins anew after a snapshot, and may not vote before it has the entry that makes it a member. */
    @Test
    void shouldLetNobodyLeaveWhileTheOneThatHasComeIsSilentOrUnknown() throws Exception
    {
        silent = 4;
        final CompletableFuture<Void> change =
            members(peers(1, 2, 3)).change(List.of(3L, 2L, 1L), peers(1, 2, 4));
        followers = List.of(2L, 3L);
        TimeUnit.MILLISECONDS.sleep(300);
        assertEquals(List.of("COMPARE_AND_SET 1,2,3 1,2,3,4"), asked);
        followers = List.of(2L, 3L, 4L);
        change.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertEquals(2, asked.size());
    }

    @Test
    void shouldAskForNothingWhereMembersAreOthersOrAnotherOneLeads()
    {
        final GroupMembers members = members(peers(1, 2, 3, 4));
        assertEquals(MembersChangeException.Kind.BUSY, failure(members.change(List.of(1L, 2L, 3L), peers(1, 2, 4))));
        isLeader = false;
        assertEquals(MembersChangeException.Kind.NOT_LEADING,
            failure(members.change(List.of(1L, 2L, 3L, 4L), peers(1, 2, 4))));
        assertEquals(List.of(), asked);
    }
}
