/**
 * The table's memory: segments that are committed, registered and published in the background as shards need them.
 */
package org.onesided.server.memory;
