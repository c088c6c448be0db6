package org.onesided.client.session;

import java.lang.reflect.Field;
import java.util.function.LongFunction;
import org.onesided.client.bootstrap.Segments;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
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
     * @param queue      of completions.
     * @param channel    of their events.
     * @param durationNs after which waiting ends.
     * @return what waits for them.
     */
    public static CompletionLoop loop(
        final CompletionQueue queue, final CompletionChannel channel, final long durationNs)
    {
        final Deadline deadline = new Deadline();
        deadline.begin(durationNs);
        return new CompletionLoop(queue, channel, deadline, 0);
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
     * @param attachment to a server.
     * @return where the server has its table: its raw address there.
     */
    public static long tableAddress(final Attachment attachment)
    {
        return firstSegment(attachment).address();
    }

    /**
     * @param attachment to a server.
     * @return the remote key of the table's memory.
     */
    public static int tableKey(final Attachment attachment)
    {
        return firstSegment(attachment).remoteKey();
    }

    private static Segments.Segment firstSegment(final Attachment attachment)
    {
        try
        {
            final Field field = VerbsReader.class.getDeclaredField("segments");
            field.setAccessible(true);
            return ((Segments)field.get(attachment.reader())).at(0);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("reader is made otherwise than this knows", e);
        }
    }

    /**
     * @param attachment to a server.
     * @return what it has READ of the table.
     */
    public static Superblock superblock(final Attachment attachment)
    {
        return attachment.table().superblock();
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
        return new Table(superblock, 1, mirrorBytes, reserve);
    }

    /**
     * @param table that nobody uses any more.
     */
    public static void release(final Table table)
    {
        table.release();
    }
}
