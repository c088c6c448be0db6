/**
 * One shard's agent and its part of each session: the connected queue pair, and the memory of the session's requests.
 * Everything belongs to the agent's thread, which never waits for a client: requests that cannot proceed are kept and
 * retried after a completion.
 */
package org.onesided.server.shard;
