/**
 * Snapshots of a shard: written while it works, and loaded when it starts. {@code ShardSnapshots} writes them when
 * {@code SnapshotPace} says so, and a shard's part of a {@code TableBackup}, in its {@code BackupTurn}.
 * {@code ShardRecovery} begins with {@code SnapshotLoad}. {@code SessionImage} is how a snapshot holds a session,
 * without the places of slots, which {@code AnswerPlaces} takes out.
 */
package org.onesided.server.shard.snapshot;
