/**
 * What a shard keeps of one queue pair: its receives, its sends with their buffers, and whether it is still served; and
 * the chains in which requests are posted. All of it belongs to the shard's thread.
 */
package org.onesided.server.queue;
