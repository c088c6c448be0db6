package org.onesided.server.session;

import java.util.Arrays;
import java.util.List;
import org.onesided.server.shard.reign.ShardRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member of a cluster is in the logs of the shards, as these have told. Belongs to the acceptor's thread.
 */
public final class ShardRoles
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardRoles.class);
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
        if (role.isServing() && !roles[shard].isServing())
        {
            LOGGER.info("partition is served here: partition={} term={}", shard, role.term());
        }
        else if (!role.isServing() && roles[shard].isServing())
        {
            LOGGER.info("partition is not served here any more: partition={} term={}", shard, role.term());
        }
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
