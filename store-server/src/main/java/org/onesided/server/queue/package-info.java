/**
 * A shard's parts of one queue pair: its receives, its sends with their buffers, its life, and the chains in which
 * requests are posted. Everything belongs to the shard's thread.
 */
package org.onesided.server.queue;
