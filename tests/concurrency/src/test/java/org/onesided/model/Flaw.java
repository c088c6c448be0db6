package org.onesided.model;

/**
 * Errors of the writer or the reader of an index, each of which lets a reader miss a key that is there.
 */
enum Flaw
{
    /** A key moves to an earlier overflow bucket, and the tag stays. */
    MOVE_WITHOUT_TAG,
    /** The tag changes before a moving key is in its new slot. */
    MOVE_TAG_FIRST,
    /** The tag changes after a moving key has left its old slot. */
    MOVE_TAG_LAST,
    /** A moving key leaves its old slot before it is in the new one. */
    MOVE_OLD_SLOT_FIRST,
    /** A bucket leaves the chain, and the tag stays. */
    UNLINK_WITHOUT_TAG,
    /** The reader trusts one look at a chain. */
    NO_SECOND_LOOK,
    /** The reader looks at the header again, not at the slots. */
    SECOND_LOOK_AT_HEADER_ONLY,
    /** The reader trusts a bucket without overflow, whatever its tag. */
    SINGLE_BUCKET_TRUSTED,
    /** The reader takes a header of the mirror for the present one where only the link differs. */
    MIRRORED_LINK_IGNORED,
    /** The reader takes a migrated bucket for a live one. */
    MIGRATED_BUCKET_TRUSTED,
    /** A bucket is marked as migrated before the new ones are filled. */
    MARKED_BEFORE_FILLED,
    /** The new buckets become live before they are filled. */
    LIVE_BEFORE_FILLED,
    /** The old bucket's slots are cleared before it is marked. */
    OLD_SLOTS_CLEARED,
    /** Keys of overflow buckets are not copied. */
    SPLIT_DROPS_OVERFLOW,
    /** A new bucket takes an overflow bucket of the old chain before the old bucket is marked. */
    OVERFLOW_REUSED_BEFORE_MARK,
    /** The split point says that a bucket is split before the new ones are filled. */
    POINT_BEFORE_FILLED,
    /** The reader trusts a new bucket that it did not know to be live before it posted the READ. */
    KNOWN_LIVE_IGNORED,
    /** The old array holds something else before the reader has confirmed that it uses it no more. */
    ARRAY_REUSED_EARLY,
    /** The reader confirms that while a lookup is under way that began before. */
    CONFIRMED_WHILE_READING,
    /** The reader does not look at what it has confirmed, and begins with a bucket of the old array. */
    CONFIRMATION_NOT_LOOKED_AT
}
