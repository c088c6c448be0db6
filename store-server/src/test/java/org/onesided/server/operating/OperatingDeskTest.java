package org.onesided.server.operating;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.cluster.ReignStage;

/** What a member says of those that follow it. */
class OperatingDeskTest
{
    private static final List<Integer> KEPT =
        IntStream.range(0, SuperblockDescriptor.MAX_SHARDS).boxed().toList();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * Bootstrap.MAX_MESSAGE_LENGTH]);

    private FollowersDecoder decoder()
    {
        return new FollowersDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
    }

    @Test
    void shouldHaveRoomForTheLargestCluster()
    {
        final List<FollowerStand> all = new ArrayList<>();
        for (int partition = 0; partition < SuperblockDescriptor.MAX_SHARDS; partition++)
        {
            for (int member = 2; member <= Bootstrap.MAX_MEMBERS; member++)
            {
                all.add(new FollowerStand(partition, member, Long.MAX_VALUE, member % 2 == 0));
            }
        }
        final List<PartitionStand> led = IntStream.range(0, SuperblockDescriptor.MAX_SHARDS).mapToObj((partition) ->
            new PartitionStand(partition, new ReignMetrics(ReignStage.SERVES, Long.MAX_VALUE, 7, 8, 9))).toList();
        assertTrue(OperatingDesk.encode(
            buffer, new MemberStand(10, all, led, KEPT), "z".repeat(32)) <= Bootstrap.MAX_MESSAGE_LENGTH);
        int count = 0;
        final FollowersDecoder decoder = decoder();
        assertEquals(10, decoder.diskFree());
        for (final FollowersDecoder.AllDecoder each : decoder.all())
        {
            assertEquals(all.get(count).partition(), each.shard());
            assertEquals(all.get(count).member(), each.member());
            assertEquals(all.get(count).isInSync() ? 1 : 0, each.inSync());
            assertEquals(0xFFFF_FFFEL, each.behind());
            count++;
        }
        assertEquals(all.size(), count);
        count = 0;
        for (final FollowersDecoder.LedDecoder each : decoder.led())
        {
            assertEquals(count + " 3 4294967294 7 8 9", each.partition() + " " + each.stage() + " " + each.restMs() +
                " " + each.held() + " " + each.granted() + " " + each.proofs());
            count++;
        }
        assertEquals(led.size(), count);
        all.add(all.get(0));
        assertThrows(IllegalStateException.class,
            () -> OperatingDesk.encode(buffer, new MemberStand(10, all, led, KEPT), ""));
    }

    @Test
    void shouldTellHowFarBehindAMemberIs()
    {
        OperatingDesk.encode(
            buffer, new MemberStand(-1, List.of(new FollowerStand(3, 7, 12, true)), List.of(), List.of(3, 9)),
            "rack-7");
        final FollowersDecoder told = decoder();
        assertEquals(-1, told.diskFree());
        final FollowersDecoder.AllDecoder each = told.all().next();
        assertEquals("3 7 12 1", each.shard() + " " + each.member() + " " + each.behind() + " " + each.inSync());
        assertFalse(told.led().hasNext());
        final FollowersDecoder.KeptDecoder kept = told.kept();
        assertEquals("3 9", kept.next().shard() + " " + kept.next().shard());
        assertFalse(kept.hasNext());
        assertEquals("rack-7", told.zone());
    }
}
