/**
 * When records expire: a shard's clock, and the wheel that says which keys to look at.
 */
package org.onesided.server.expiry;
