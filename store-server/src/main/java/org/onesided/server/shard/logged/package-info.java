/**
 * The way of a shard's writes through its log. {@code LoggedShard} puts the parts together and hears from the log:
 * {@code LoggedWrites} lead requests in, {@code LoggedEntries} lead committed entries out, and {@code ProposedSessions}
 * tell the log of sessions. {@code ShardDurability} is what the server gives a shard for it;
 * {@code SnapshotInstalledException} ends a shard that has to begin anew.
 */
package org.onesided.server.shard.logged;
