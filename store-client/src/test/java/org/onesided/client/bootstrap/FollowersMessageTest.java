package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.ProtocolException;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.ClusterState.Follower;
import org.onesided.client.types.ClusterState.Reign;
import org.onesided.client.types.ClusterState.Stage;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.FollowersEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

/** What a member says of its followers, and what it cannot mean. */
class FollowersMessageTest
{
    private static List<List<Follower>> decode(final int shards, final long[]... all) throws ProtocolException
    {
        return stand(shards, all, new long[0][]).followers();
    }

    private static Map<Integer, Reign> reigns(final int shards, final long[]... led) throws ProtocolException
    {
        return stand(shards, new long[0][], led).reigns();
    }

    private static MemberStand stand(final int shards, final long[][] all, final long[][] led) throws ProtocolException
    {
        return stand(shards, all, led, "");
    }

    private static MemberStand stand(
        final int shards, final long[][] all, final long[][] led, final String zone) throws ProtocolException
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
        final FollowersEncoder message = new FollowersEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).diskFree(1234);
        final FollowersEncoder.AllEncoder group = message.allCount(all.length);
        for (final long[] each : all)
        {
            group.next().shard((int)each[0]).member(each[1]).behind(each[2]).inSync((short)each[3]);
        }
        final FollowersEncoder.LedEncoder reigns = message.ledCount(led.length);
        for (final long[] each : led)
        {
            reigns.next().partition((int)each[0]).stage((short)each[1]).restMs(each[2]).held(each[3]).granted(each[4])
                .proofs(each[5]);
        }
        message.keptCount(1).next().shard(0);
        message.zone(zone);
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

    @Test
    void shouldTellOfReignsAndRoom() throws ProtocolException
    {
        assertEquals(Map.of(0, new Reign(Stage.WAITS, 812, 0, 3, 4), 2, new Reign(Stage.SERVES, 0, 7, 8, 9)),
            reigns(3, new long[]{2, 3, 0, 7, 8, 9}, new long[]{0, 2, 812, 0, 3, 4}));
        assertEquals(Stage.CATCHES_UP, reigns(1, new long[]{0, 1, 0, 0, 0, 0}).get(0).stage());
        assertEquals(Stage.HANDS_OVER, reigns(1, new long[]{0, 4, 0, 0, 0, 0}).get(0).stage());
        assertEquals(1234, stand(1, new long[0][], new long[0][]).diskFree());
    }

    @Test
    void shouldTellTheZoneOfTheMember() throws ProtocolException
    {
        assertEquals("rack-7", stand(1, new long[0][], new long[0][], "rack-7").zone());
        assertEquals("", stand(1, new long[0][], new long[0][], "").zone());
        assertThrows(ProtocolException.class, () -> stand(1, new long[0][], new long[0][], "a b"));
    }

    @Test
    void shouldRefuseReignsThatMakeNoSense()
    {
        assertThrows(ProtocolException.class, () -> reigns(1, new long[]{1, 3, 0, 0, 0, 0}));
        assertThrows(ProtocolException.class, () -> reigns(1, new long[]{0, 0, 0, 0, 0, 0}));
        assertThrows(ProtocolException.class, () -> reigns(1, new long[]{0, 5, 0, 0, 0, 0}));
        assertThrows(ProtocolException.class,
            () -> reigns(1, new long[]{0, 3, 0, 0, 0, 0}, new long[]{0, 3, 0, 0, 0, 0}));
    }
}
