package org.onesided.server.data;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Which founders of a cluster keep a partition, where not all do: each keeps as many partitions as any other, or one
 * fewer. Members compute it at each start until a log tells them, so a later version must find the same.
 *
 * <p>Partitions take the members in turn, each going on behind the one before it. When all members have had the same
 * number, a round is over. The next one takes them in another order: so partitions that share a member are on different
 * others, and if that one is lost, many take over its work.
 */
final class Placement
{
    private Placement()
    {
    }

    /**
     * Places a partition.
     *
     * @param partition its number, from 0.
     * @param members   that there are, at least 1.
     * @param replicas  how many of them keep each partition, 1 to all.
     * @return their indices, in ascending order.
     */
    static List<Integer> of(final int partition, final int members, final int replicas)
    {
        final int round = partition / (members / gcd(members, replicas));
        final int stride = stride(round, members);
        return IntStream.range(partition * replicas, (partition + 1) * replicas)
            .map((turn) -> (turn % members * stride + round) % members).sorted().boxed().toList();
    }

    /** Steps of that length meet all members. */
    private static int stride(final int round, final int members)
    {
        final int[] strides = IntStream.rangeClosed(1, members).filter((each) -> gcd(each, members) == 1).toArray();
        return strides[round % strides.length];
    }

    private static int gcd(final int one, final int other)
    {
        return other == 0 ? one : gcd(other, one % other);
    }
}
