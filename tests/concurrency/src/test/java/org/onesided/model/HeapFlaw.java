package org.onesided.model;

/**
 * Errors of the writer or the reader of records, each of which lets a lookup return a value that is not the key's, or
 * miss a key that is there.
 */
enum HeapFlaw
{
    /** A new record is live before the old one is dead. */
    LIVE_BEFORE_DEAD,
    /** A slot is changed before the old record is dead. */
    SLOT_BEFORE_DEAD,
    /** A new record is live before its slot points at it. */
    LIVE_BEFORE_SLOT,
    /** A record that moves stays live where it was, until that memory is used anew. */
    MOVED_NOT_KILLED,
    /** A record of a segment that goes stays live there, as its memory goes anyway, and nobody zeroes that. */
    CLEARED_NOT_KILLED,
    /** The code does not cover the version. */
    CODE_WITHOUT_VERSION,
    /** The reader believes a record without its code. */
    NO_CHECK,
    /** The reader takes a dead record for an empty slot. */
    DEAD_MEANS_EMPTY,
    /** The reader takes a record that is being written, or torn, for an empty slot. */
    CHANGING_MEANS_EMPTY,
    /** The reader takes a live record of another key for one that shares the fingerprint. */
    COLLISION_BELIEVED,
    /** It does so if slot and record, READ once more, show the same slot word and the same version. */
    COLLISION_BELIEVED_ON_EQUAL_VERSION
}
