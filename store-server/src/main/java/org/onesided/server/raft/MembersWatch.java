package org.onesided.server.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.onesided.server.raft.peers.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the members of logs have changed. It asks, as Ratis does not tell of all changes: not of those that
 * come with a snapshot, nor that it has closed a group. Belongs to one thread.
 */
final class MembersWatch implements AutoCloseable
{
    /** Looks that find a group closed, some 15 seconds: a member that is removed is told so before. */
    private static final int LOOKS_AT_ENDED = 150;
    /** Some 10 minutes, while a leader says that it was removed, though not in a term that makes it certain. */
    private static final int LOOKS_AT_DOUBTFUL = 6_000;

    private static final Logger LOGGER = LoggerFactory.getLogger(MembersWatch.class);

    private final MembersListener listener;
    private final List<RaftShardLog> logs;
    private final List<Seen> seen = new ArrayList<>();

    /** What the last looks at a log have found. */
    private static final class Seen
    {
        private List<Peer> members = List.of();
        private boolean isFailing;
        private int ended;
        /** Null while the group is not closed. */
        private LeaveInquiry inquiry;
        private boolean isLeft;
        private boolean isDoubted;
        private boolean isToldToHaveEnded;
    }

    MembersWatch(final List<RaftShardLog> logs, final MembersListener listener)
    {
        this.logs = logs;
        this.listener = listener;
    }

    /** Tells of what has changed since the last look. */
    void look()
    {
        for (int shard = 0; shard < logs.size(); shard++)
        {
            if (shard == seen.size())
            {
                seen.add(new Seen());
            }
            final Seen last = seen.get(shard);
            try
            {
                look(shard, last);
                last.isFailing = false;
            }
            catch (final RuntimeException e)
            {
                // Such as that it cannot be written down. The others, and the rest of the upkeep, go on.
                if (!last.isFailing)
                {
                    LOGGER.warn("members of a partition are not noted, and are tried again: partition={}", shard, e);
                }
                last.isFailing = true;
            }
        }
    }

    private void look(final int shard, final Seen last)
    {
        final RaftShardLog log = logs.get(shard);
        // What is left of a log without a leader may be old.
        final List<Peer> present = log.members().isLed() ? log.members().committed() : List.of();
        if (!present.isEmpty() && !present.equals(last.members))
        {
            listener.onMembers(shard, present);
            // Told again if the listener failed.
            last.members = present;
        }
        final boolean hasEnded = log.state() == LogState.FOLLOWING && log.members().hasEnded();
        last.ended = hasEnded ? last.ended + 1 : 0;
        last.isToldToHaveEnded &= hasEnded;
        if (hasEnded && last.inquiry == null)
        {
            last.inquiry = new LeaveInquiry(log, listener::known);
            last.inquiry.start();
        }
        final GroupMembers.Departure departure =
            hasEnded ? last.inquiry.departure() : GroupMembers.Departure.UNKNOWN;
        if (departure == GroupMembers.Departure.CERTAIN && !last.isLeft)
        {
            listener.onLeft(shard);
            last.isLeft = true;
        }
        if (departure == GroupMembers.Departure.DOUBTFUL && !last.isDoubted)
        {
            last.isDoubted = true;
            LOGGER.warn("partition is perhaps kept by other members only, its leader says so, but this one has stood " +
                "for election since: transfer the partition until this member is sure: partition={}", shard);
        }
        if (last.ended >= (departure == GroupMembers.Departure.DOUBTFUL ? LOOKS_AT_DOUBTFUL : LOOKS_AT_ENDED) &&
            last.inquiry.haveAllBeenAsked() && !last.isToldToHaveEnded)
        {
            listener.onEnded(shard);
            last.isToldToHaveEnded = true;
        }
    }

    /** To be called when nobody looks any more. */
    @Override
    public void close()
    {
        final List<LeaveInquiry> inquiries =
            seen.stream().map((each) -> each.inquiry).filter(Objects::nonNull).toList();
        inquiries.forEach(LeaveInquiry::stop);
        inquiries.forEach(LeaveInquiry::close);
    }
}
