/**
 * Who leads a shard's log, and whether this member may answer clients. {@code Leadership} is what the log's entries
 * tell, {@code ShardLeases} has the leases of clients and the wait for those of a former leader, {@code ShardRelease}
 * ends a reign in order, and {@code ShardReign} takes them together, and tells the server by {@code ShardRole}.
 * {@code Replication} is what a shard needs whose log has several members.
 */
package org.onesided.server.shard.reign;
