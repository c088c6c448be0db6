/**
 * What any device in software shares: the state machine with its attribute masks, the book-keeping of work queues,
 * completion queues with their arming and events, the checks of requests, and the rules about what is still in use. A
 * device adds how bytes travel and how threads sleep.
 *
 * <p>Lock order: a queue pair's lock, then a shared receive queue's, then a completion queue's, then a channel's.
 */
package org.onesided.verbs.soft;
