/**
 * Limits of the requests that clients send to a shard. The messages themselves are generated, in {@code codec}.
 */
package org.onesided.protocol.rpc;
