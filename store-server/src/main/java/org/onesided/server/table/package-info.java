/**
 * The table as its writers see it: how a region is divided, where records are placed, and the one writer of each shard.
 */
package org.onesided.server.table;
