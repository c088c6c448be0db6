package org.onesided.model;

/**
 * The memory of an index in the model: a bucket of an old array, the two buckets of a new array that it splits into,
 * overflow buckets that either may link, and the split point, which says whether the old bucket is split. A bucket has
 * {@value #SLOTS} slots and a header, a word each; a slot holds the number of a key, or 0. Each word is stored and
 * fetched at one instant, words of a bucket at different ones.
 *
 * <pre>
 *   bucket 0        bucket 1, 2     bucket 3, 4, 5
 *  +------+        +------+        +----------+        header = state | tag | link
 *  | old  | split  | new  |  link  | overflow |
 *  | main | -----> | main | -----> |          | ---> ...
 *  +------+        +------+        +----------+
 * </pre>
 */
final class Index
{
    static final int SLOTS = 2;
    static final int KEYS = 3;
    static final int OLD = 0;
    static final int NEW = 1;
    static final int FIRST_OVERFLOW = 3;
    static final int OVERFLOWS = 3;
    static final int BUCKETS = FIRST_OVERFLOW + OVERFLOWS;
    static final int BUCKET_WORDS = SLOTS + 1;
    static final int SPLIT_POINT = BUCKETS * BUCKET_WORDS;
    static final int WORDS = SPLIT_POINT + 1;

    /** States of a bucket, the first that of zeroed memory. */
    static final int NOT_LIVE = 0;
    static final int LIVE = 1;
    static final int MIGRATED = 2;

    static final int MAX_TAG = 3;
    static final int NO_LINK = 0;

    private static final int TAG_SHIFT = 2;
    private static final int LINK_SHIFT = 4;

    private Index()
    {
    }

    static int slot(final int bucket, final int number)
    {
        return bucket * BUCKET_WORDS + number;
    }

    static int header(final int bucket)
    {
        return bucket * BUCKET_WORDS + SLOTS;
    }

    /** A header; the link is the number of a bucket, or {@link #NO_LINK}. */
    static byte header(final int state, final int tag, final int link)
    {
        return (byte)(state | tag << TAG_SHIFT | link << LINK_SHIFT);
    }

    static int state(final int header)
    {
        return header & (1 << TAG_SHIFT) - 1;
    }

    static int tag(final int header)
    {
        return header >> TAG_SHIFT & MAX_TAG;
    }

    static int link(final int header)
    {
        return header >> LINK_SHIFT;
    }

    static byte withTag(final int header, final int tag)
    {
        return header(state(header), tag, link(header));
    }

    static byte withLink(final int header, final int link)
    {
        return header(state(header), tag(header), link);
    }
}
