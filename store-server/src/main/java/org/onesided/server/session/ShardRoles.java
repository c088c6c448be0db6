package org.onesided.server.session;

import java.util.Arrays;
import java.util.List;
import org.onesided.server.shard.ShardRole;

/**
 * What a member of a cluster is in the logs of the shards, as these have told. Belongs to the acceptor's thread.
 */
public final class ShardRoles
{
    private static final ShardRole UNKNOWN = new ShardRole(0, 0, false, List.of());

    private final ShardRole[] roles;

    /**
     * None is known.
     *
     * @param shards how many there are.
     */
    public ShardRoles(final int shards)
    {
        roles = new ShardRole[shards];
        Arrays.fill(roles, UNKNOWN);
    }

    void take(final int shard, final ShardRole role)
    {
        // The sessions are somebody else's business.
        roles[shard] = new ShardRole(role.term(), role.leader(), role.isServing(), List.of());
    }

    int count()
    {
        return roles.length;
    }

    ShardRole get(final int shard)
    {
        return roles[shard];
    }
}
