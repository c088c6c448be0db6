package org.onesided.server.raft;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.server.RaftServer;

/**
 * Closes a group, also one whose log has failed. There are two traps in Ratis:
 *
 * <p>A log that closes holds its lock while it joins the thread that drops cached segments. That thread may wait for
 * the same lock, which it does after each new segment. So {@link #settle} waits for that thread before the log closes.
 *
 * <p>Closing a group may wait for a thread that never ends. So it is closed on a thread of its own, and counts as
 * closed only when Ratis' threads of the group are gone: one that is left could still write to the files.
 */
final class StoppedWriter
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final String[] WRITERS = {"-SegmentedRaftLogWorker", "-StateMachineUpdater", "-LeaderStateImpl"};
    private static final int MOST_FRAMES = 12;
    private static final String EVICTOR = "-cacheEviction";
    private static final String EVICTION = "checkAndEvictCache";

    private StoppedWriter()
    {
    }

    /**
     * Waits until the thread that drops cached segments of a group is idle. Nothing may be proposed meanwhile.
     *
     * @param member    whose thread it is.
     * @param timeoutMs to wait at most.
     */
    static void settle(final RaftGroupMemberId member, final long timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        // Twice, for a thread that was signalled and has not begun yet.
        for (int idle = 0; idle < 2 && System.nanoTime() - deadlineNs < 0;)
        {
            LockSupport.parkNanos(POLL_NS);
            idle = isEvicting(member.toString()) ? 0 : idle + 1;
        }
    }

    /**
     * @param server    that has the group.
     * @param group     to close. Its files stay.
     * @param timeoutMs to wait at most.
     * @throws IOException          if it is not closed, so that it must not be opened anew.
     * @throws InterruptedException if interrupted while waiting.
     */
    static void close(final RaftServer server, final RaftGroupId group, final long timeoutMs)
        throws IOException, InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        final RaftGroupMemberId member = RaftGroupMemberId.valueOf(server.getId(), group);
        final Thread closer = new Thread(() -> remove(server, group), "raft-close-" + member);
        closer.setDaemon(true);
        closer.start();
        closer.join(timeoutMs);
        Thread left = closer.isAlive() ? closer : writer(member.toString());
        while (left != null)
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                final String place = Stream.of(left.getStackTrace()).limit(MOST_FRAMES)
                    .map(StackTraceElement::toString).collect(Collectors.joining(" < "));
                closer.interrupt();
                throw new IOException("Ratis did not close the log in time: thread=" + left.getName() + ", at=" +
                    place);
            }
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(POLL_NS));
            left = closer.isAlive() ? closer : writer(member.toString());
        }
    }

    private static void remove(final RaftServer server, final RaftGroupId group)
    {
        // Removes in this thread. The future fails only if there is no such group: it is closed then.
        server.groupManagementAsync(GroupManagementRequest.newRemove(
            ClientId.emptyClientId(), server.getId(), 0, group, false, false));
    }

    private static boolean isEvicting(final String member)
    {
        for (final Thread thread : threads())
        {
            if (thread != null && thread.getName().startsWith(member + EVICTOR))
            {
                for (final StackTraceElement frame : thread.getStackTrace())
                {
                    if (frame.getMethodName().equals(EVICTION))
                    {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** A thread of a group that could still write, or null. */
    private static Thread writer(final String member)
    {
        for (final Thread thread : threads())
        {
            for (final String writer : WRITERS)
            {
                if (thread != null && thread.isAlive() && thread.getName().startsWith(member + writer))
                {
                    return thread;
                }
            }
        }
        return null;
    }

    private static Thread[] threads()
    {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null)
        {
            root = root.getParent();
        }
        Thread[] threads = new Thread[2 * root.activeCount() + 16];
        while (root.enumerate(threads) == threads.length)
        {
            threads = new Thread[2 * threads.length];
        }
        return threads;
    }
}
