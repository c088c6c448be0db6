package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.ProtocolException;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.ClusterState.Follower;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.FollowersEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

/** What a member says of its followers, and what it cannot mean. */
class FollowersMessageTest
{
    private static List<List<Follower>> decode(final int shards, final long[]... all) throws ProtocolException
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
        final FollowersEncoder.AllEncoder group = new FollowersEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).allCount(all.length);
        for (final long[] each : all)
        {
            group.next().shard((int)each[0]).member(each[1]).behind(each[2]).inSync((short)each[3]);
        }
        return FollowersMessage.decode(
            new FollowersDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder()), shards);
    }

    @Test
    void shouldGroupFollowersByPartition() throws ProtocolException
    {
        assertEquals(
            List.of(List.of(new Follower(2, 0, true), new Follower(3, 7, false)), List.of(),
                List.of(new Follower(3, 0, true))),
            decode(3, new long[]{0, 2, 0, 1}, new long[]{2, 3, 0, 1}, new long[]{0, 3, 7, 0}));
        assertEquals(List.of(List.of()), decode(1));
    }

    @Test
    void shouldRefuseWhatMakesNoSense()
    {
        assertThrows(ProtocolException.class, () -> decode(1, new long[]{1, 2, 0, 1}));
        assertThrows(ProtocolException.class, () -> decode(1, new long[]{0, 0, 0, 1}));
        assertThrows(ProtocolException.class, () -> decode(1, new long[]{0, 2, 0, 1}, new long[]{0, 2, 0, 1}));
    }
}
