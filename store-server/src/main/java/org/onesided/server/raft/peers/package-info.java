/**
 * What a log with several members has besides: the members, the settings and the transport of Ratis between them, and
 * the way of snapshots from one to another. Knows no log.
 */
package org.onesided.server.raft.peers;
