package org.onesided.server;

import java.util.List;
import org.onesided.server.accept.Acceptor;
import org.onesided.server.shard.agent.Shard;

/**
 * The parts of a server that runs.
 *
 * @param devices     that are offered.
 * @param memory      of the table.
 * @param use         of that memory.
 * @param shards      in their order.
 * @param durability  of the table; null if it is in memory only.
 * @param acceptor    of clients.
 * @param maxSessions at a time.
 */
record ServerParts(
    OfferedDevices devices,
    ServerMemory memory,
    MemoryUse use,
    List<Shard> shards,
    Durability durability,
    Acceptor acceptor,
    int maxSessions)
{
}
