package org.onesided.server.data;

import java.util.List;

/**
 * What a server knows of its cluster from the day on which the cluster was founded. It is in the data directory beside
 * the table's identity, which is the same on all members.
 *
 * @param self    number of this member.
 * @param members all of them, this one included, each with the shards of the whole table.
 * @param leaseMs for how long a client may believe what a leader's memory says, in milliseconds.
 */
public record ClusterDescription(long self, List<ClusterMember> members, long leaseMs)
{
    /**
     * Checks that this one is a member.
     *
     * @param self    number of this member.
     * @param members all of them, this one included.
     * @param leaseMs for how long a client may believe what a leader's memory says, at least 1.
     */
    public ClusterDescription
    {
        members = List.copyOf(members);
        if (leaseMs < 1)
        {
            throw new IllegalArgumentException("a lease must last at least a millisecond: leaseMs=" + leaseMs);
        }
        if (members.stream().noneMatch((member) -> member.number() == self))
        {
            throw new IllegalArgumentException("a member must be in the list of members: self=" + self);
        }
    }

    /**
     * @return this member.
     */
    public ClusterMember own()
    {
        return members.stream().filter((member) -> member.number() == self).findFirst().orElseThrow();
    }
}
