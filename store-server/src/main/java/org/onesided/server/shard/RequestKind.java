package org.onesided.server.shard;

/**
 * Kinds of requests.
 */
public enum RequestKind
{
    /** To store a value that came with the request. */
    PUT,
    /** To store a value that the server READs from the client's memory. */
    PUT_LARGE,
    /** To remove a key. */
    DELETE,
    /** To add to a number. */
    INCREMENT,
    /** To add to the end of a value. */
    APPEND,
    /** To change the time when a key expires. */
    TOUCH,
    /** To tell when a key expires. */
    TTL,
    /** To look a key up, where a lookup by READ did not come to an end. */
    GET,
    /** To take back what was lent to a lookup. */
    RELEASE,
    /** To tell the shard's counters. */
    STAT,
    /** To write a snapshot, and tell the shard's counters. */
    SNAPSHOT,
    /** To believe the shard's memory for a while. */
    LEASE
}
