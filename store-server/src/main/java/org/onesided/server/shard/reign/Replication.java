package org.onesided.server.shard.reign;

import java.util.function.LongSupplier;
import org.onesided.server.cluster.LeaseTime;

/**
 * What a shard needs whose log has several members.
 *
 * @param time   of leases and waits.
 * @param region names this server's memory: leases are for it alone.
 * @param clock  of leases and waits, which goes on while the machine is suspended, in nanoseconds.
 */
public record Replication(LeaseTime time, long region, LongSupplier clock)
{
}
