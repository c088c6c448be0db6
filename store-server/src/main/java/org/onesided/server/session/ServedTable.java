package org.onesided.server.session;

import java.util.List;
import org.onesided.server.shard.Shard;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.ProtectionDomain;

/**
 * What sessions are connected to.
 *
 * @param device     that clients must have one of the same kind of, too.
 * @param domain     of the region and of all queue pairs.
 * @param region     the registered table.
 * @param shards     in their order.
 * @param tableId    names the table.
 * @param serverLife names this life of the server.
 * @param hugePages  whether the table is in huge pages.
 */
public record ServedTable(
    OpenDevice device,
    ProtectionDomain domain,
    MemoryRegion region,
    List<Shard> shards,
    long tableId,
    long serverLife,
    boolean hugePages)
{
}
