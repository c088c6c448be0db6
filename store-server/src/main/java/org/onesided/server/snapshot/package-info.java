/**
 * Files with the state of a shard at one index of its log, and the directory that they are in. What the state consists
 * of is not known here: sessions are bytes, and records have a key, a value, a version and a time.
 */
package org.onesided.server.snapshot;
