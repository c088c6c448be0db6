/**
 * The requests of one queue pair, from their arrival to their answer, in the order that a session relies on.
 * {@code SessionRequests} decides what becomes of each: {@code Questions} change nothing, {@code SessionWrites} come
 * whole, {@code PulledPuts} have values that {@code PullQueue} READs and {@code Publications} publishes,
 * {@code LoggedRequests} wait for the log, and {@code RoomlessPuts} for room, in the shard's {@code RoomQueue}, whose
 * waiters are {@code RoomOwner}s. {@code KeptRequests} and {@code HeldRequests} hold what waits, {@code Answers} sends
 * and remembers, and {@code Workbench} is what the shard's queue pairs share.
 */
package org.onesided.server.shard.requests;
