/**
 * What any device in software shares: the state machine with its attribute masks, the book-keeping of work queues,
 * completion queues with their arming and events, the checks of requests, and the rules about what is still in use. A
 * device adds how bytes travel and how threads sleep.
 *
 * <pre>
 *   SoftQueuePair          the verbs
 *     WorkQueues           lock, state, failing; runs both queues
 *       SendWork           executes and completes send requests; RetryTimer says how long the oldest waits
 *       ReceiveWork        receives, own or shared, and their completions
 *       Transport          implemented by each device: executes one request, takes in messages, tells the peer
 * </pre>
 *
 * <p>Calls go from the work queues to the transport, and back for what it needs of this side: the attributes, the
 * receives, the local memory, a completion to add, a failure. A transport never calls the queue pair.
 *
 * <p>Lock order: a queue pair's lock, then a shared receive queue's, then a completion queue's, then a channel's.
 */
package org.onesided.verbs.soft;
