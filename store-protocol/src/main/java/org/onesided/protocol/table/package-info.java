/**
 * Layout of the region: superblock, buckets, slots and records; how keys are hashed and records checked. Server and
 * clients read it from here, and only from here.
 *
 * <pre>
 *  table offset 0
 *  +------------+---------+------------------+-------------+---------+------------------+-------------+---
 *  | superblock | buckets | overflow buckets | record heap | buckets | overflow buckets | record heap | ..
 *  +------------+---------+------------------+-------------+---------+------------------+-------------+---
 *  | 4 KiB      | shard 0                                  | shard 1                                  | ..
 * </pre>
 *
 * <p>All is addressed by <em>table offsets</em>, bytes from the start of the superblock. All words are little endian
 * and aligned to their size.
 */
package org.onesided.protocol.table;
