/**
 * One shard's agent, and what it keeps of each session: its queue pair while it is connected, and the memory of its
 * requests for as long as it lives. All of it belongs to the agent's thread, which never waits for a
 * client: what cannot go on now is kept and tried again when a completion makes room.
 */
package org.onesided.server.shard;
