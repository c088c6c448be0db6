package org.onesided.client.session;

import java.util.function.LongFunction;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.protocol.table.SplitPoint;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.verbs.DeviceMemory;

/**
 * Parts of sessions for tests of other packages, which do not make these in the product.
 */
public final class SessionParts
{
    private SessionParts()
    {
    }

    /**
     * @param durationNs from when it is first asked for.
     * @return a deadline.
     */
    public static Deadline deadline(final long durationNs)
    {
        final Deadline deadline = new Deadline();
        deadline.begin(durationNs);
        return deadline;
    }

    /**
     * @param deadline   to begin anew.
     * @param durationNs from when it is first asked for.
     */
    public static void begin(final Deadline deadline, final long durationNs)
    {
        deadline.begin(durationNs);
    }

    /**
     * @param wire     that completes.
     * @param deadline of the running operation.
     * @return its completions.
     */
    public static CompletionLoop loop(final FakeWire wire, final Deadline deadline)
    {
        return new CompletionLoop(wire, FakeWire.silentChannel(), deadline, 0);
    }

    /**
     * @param loop of completions.
     * @return why it was lost, or null.
     */
    public static String lostReason(final CompletionLoop loop)
    {
        return loop.lostReason();
    }

    /**
     * @param counters of a session.
     * @param counter  one of them.
     * @return its value.
     */
    public static long count(final Counters counters, final int counter)
    {
        return counters.get(counter);
    }

    /**
     * @param superblock  of the table.
     * @param mirrorBytes of memory for its mirror.
     * @param reserve     gives that memory.
     * @return the table.
     */
    public static Table table(
        final Superblock superblock, final long mirrorBytes, final LongFunction<DeviceMemory> reserve)
    {
        final Table table = new Table(superblock, 1, mirrorBytes, reserve);
        learn(table, 0, SplitPoint.START);
        return table;
    }

    /**
     * Tells a table what a superblock says.
     *
     * @param table to be told.
     * @param shard of which splitting has come so far.
     * @param point how far.
     */
    public static void learn(final Table table, final int shard, final long point)
    {
        final UnsafeBuffer superblock = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(SuperblockDescriptor.LENGTH, Long.BYTES));
        Superblock.splitPoint(superblock.addressOffset(), shard, point);
        table.learnSplitPoints(superblock.addressOffset());
    }

    /**
     * @param shards        that the server has.
     * @param credits       for each of them.
     * @param messageLength of a request.
     * @param isResumed     whether the session goes on.
     * @return what a server says when a session begins.
     */
    public static BootstrapConnection.Welcome welcome(
        final int shards, final int credits, final int messageLength, final boolean isResumed)
    {
        return welcome(shards, credits, messageLength, isResumed, 1);
    }

    /**
     * @param shards        that the server has.
     * @param credits       for each of them.
     * @param messageLength of a request.
     * @param isResumed     whether the session goes on.
     * @param memoryId      names the server's memory.
     * @return what a server says when a session begins.
     */
    public static BootstrapConnection.Welcome welcome(
        final int shards, final int credits, final int messageLength, final boolean isResumed, final long memoryId)
    {
        return new BootstrapConnection.Welcome(
            new SessionIdentity(1, 1, 2, 3), isResumed, 1, ServedShards.all(shards), credits, messageLength,
            1 << 20, 1000, false, 1 << 20, memoryId, "none", 0, false, true);
    }
}
