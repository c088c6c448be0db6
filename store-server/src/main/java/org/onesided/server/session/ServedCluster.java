package org.onesided.server.session;

/**
 * The cluster that a server is a member of.
 *
 * @param self     number of this member.
 * @param tableId  names the table, the same on all members.
 * @param hashSeed of the keys' hashes, which tell the shard of a key.
 * @param leaseMs  for how long a client may believe what a leader's memory says, in milliseconds.
 * @param members  that keep shards.
 * @param roles    of this member in the shards' logs.
 * @param changes  serves clients that change members.
 */
public record ServedCluster(
    long self,
    long tableId,
    long hashSeed,
    long leaseMs,
    ServedMembers members,
    ShardRoles roles,
    ClientDesk changes)
{
    /** Whether the cluster goes on without this member. */
    boolean isRemoved()
    {
        return members.all().stream().noneMatch((member) -> member.number() == self);
    }
}
