/**
 * Decides which records leave a shard whose memory is full. Clients report samples of their lookups for that.
 */
package org.onesided.server.eviction;
