package org.onesided.server.shard.agent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;

/**
 * A log whose entries are committed when the test says so, and that fails when it says so. Not thread-safe.
 */
final class MemoryLog implements ShardLog
{
    private static final long TERM = 3;
    private static final byte[] OF_THE_LOG = {};

    /** What was committed, ever. The index of an entry is its place here plus 1. */
    private final List<byte[]> committed = new ArrayList<>();
    private final Deque<byte[]> proposed = new ArrayDeque<>();
    private final Deque<LogEvent> events = new ArrayDeque<>();

    private long purged;
    private long term = TERM;
    private boolean takesProofs;

    private interface LogEvent
    {
        void tell(LogListener listener);
    }

    /** An empty log. */
    MemoryLog()
    {
        events.add(LogListener::onReady);
    }

    /** A log that was closed with these entries, and is opened behind the first of them. */
    MemoryLog(final List<byte[]> entries, final long behind)
    {
        committed.addAll(entries);
        for (int i = (int)behind; i < entries.size(); i++)
        {
            tellOf(i + 1);
        }
        events.add(LogListener::onReady);
    }

    /** The empty log of one of several members, which follows. */
    static MemoryLog ofMember()
    {
        final MemoryLog log = new MemoryLog();
        log.events.clear();
        log.follow();
        return log;
    }

    private void tellOf(final long index)
    {
        final byte[] entry = committed.get((int)index - 1);
        final long ofTerm = term;
        events.add((listener) -> listener.onEntry(index, ofTerm, new UnsafeBuffer(entry), 0, entry.length));
    }

    /** Another member leads, or none. */
    void follow()
    {
        proposed.clear();
        events.add((listener) -> listener.onFollowing(term, 0));
    }

    /** This member leads: its log begins the term with an entry of its own, which it does not hand over. */
    void lead(final long inTerm)
    {
        term = inTerm;
        committed.add(OF_THE_LOG);
        final long index = committed.size();
        events.add((listener) -> listener.onLeading(inTerm, index));
        events.add(LogListener::onReady);
    }

    /** An entry of another leader is committed. */
    void commit(final byte[] entry)
    {
        committed.add(entry);
        tellOf(committed.size());
    }

    /** There is room for proofs only. */
    void noRoom()
    {
        takesProofs = true;
        fail();
    }

    /** There is no room for proofs any more. */
    void noRoomAtAll()
    {
        takesProofs = false;
    }

    /** How much was not handed over yet. */
    int left()
    {
        return events.size();
    }

    List<byte[]> entries()
    {
        return committed;
    }

    /** Index of the last entry that may go, 0 if none may. */
    long purged()
    {
        return purged;
    }

    /** Whether all was handed over. */
    boolean isDrained()
    {
        return events.isEmpty() && proposed.isEmpty();
    }

    int proposals()
    {
        return proposed.size();
    }

    /** Commits the oldest proposals. */
    void commit(final int count)
    {
        for (int i = 0; i < count && !proposed.isEmpty(); i++)
        {
            committed.add(proposed.remove());
            tellOf(committed.size());
        }
    }

    void fail()
    {
        events.add((listener) -> listener.onFailed("the test said so"));
    }

    /** Opens the log anew, without what was proposed. */
    void reopen()
    {
        takesProofs = false;
        proposed.clear();
        events.add(LogListener::onReady);
    }

    @Override
    public boolean tryPropose(final DirectBuffer entry, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        entry.getBytes(offset, bytes);
        proposed.add(bytes);
        return true;
    }

    @Override
    public boolean takesProofs()
    {
        return takesProofs;
    }

    @Override
    public boolean tryProve(final DirectBuffer entry, final int offset, final int length)
    {
        return takesProofs && tryPropose(entry, offset, length);
    }

    @Override
    public int poll(final LogListener listener, final int limit)
    {
        int count = 0;
        while (count < limit && !events.isEmpty())
        {
            events.remove().tell(listener);
            count++;
        }
        return count;
    }

    @Override
    public void purge(final long index)
    {
        purged = index;
    }

    @Override
    public void force()
    {
        // There is no disk.
    }

    @Override
    public long diskBytes()
    {
        return committed.stream().mapToLong((entry) -> entry.length).sum();
    }

    @Override
    public void close()
    {
        proposed.clear();
    }
}
