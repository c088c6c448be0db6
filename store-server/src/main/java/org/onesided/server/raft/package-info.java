/**
 * The log of each shard, kept by Apache Ratis: one group per shard, whose only member is this server. No other package
 * but {@link org.onesided.server.raft.files} knows of Ratis.
 */
package org.onesided.server.raft;
