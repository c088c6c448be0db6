package org.onesided.client.jcache;

/**
 * What became of an entry.
 */
enum Effect
{
    /** Nothing. */
    NONE,
    /** It is new. */
    CREATED,
    /** It has another value. */
    UPDATED,
    /** It was removed. */
    REMOVED,
    /** Its time was over with this operation. */
    EXPIRED;

    /** Whether a value was put. */
    boolean isPut()
    {
        return this == CREATED || this == UPDATED;
    }
}
