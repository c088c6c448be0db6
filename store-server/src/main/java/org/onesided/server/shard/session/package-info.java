/**
 * A shard's part of a session, which outlives its queue pairs. {@code ShardSession} has what is lent to it and its
 * {@code RequestWindow}, by which each request is executed at most once; its {@code AppliedListener} hears from the
 * log, and {@code LoggedSessions} are the ones that the log knows.
 */
package org.onesided.server.shard.session;
