package org.onesided.server.session;

import java.util.List;

/**
 * The cluster that a server is a member of.
 *
 * @param self     number of this member.
 * @param tableId  names the table, the same on all members.
 * @param hashSeed of the keys' hashes, which tell the shard of a key.
 * @param leaseMs  for how long a client may believe what a leader's memory says, in milliseconds.
 * @param members  all of them.
 * @param roles    of this member in the shards' logs.
 */
public record ServedCluster(
    long self, long tableId, long hashSeed, long leaseMs, List<Member> members, ShardRoles roles)
{
    /**
     * A member.
     *
     * @param number  from 1.
     * @param address host and port where clients connect.
     */
    public record Member(long number, String address)
    {
    }
}
