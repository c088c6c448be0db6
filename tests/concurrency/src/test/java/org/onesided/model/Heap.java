package org.onesided.model;

/**
 * The memory of records in the model: a bucket with {@value #SLOTS} slots, which both keys share, and places for
 * records. The keys have the same fingerprint, so a slot word is the number of a place, or 0. Each word is stored and
 * fetched at one instant, words of a record or a bucket at different ones.
 *
 * <pre>
 *   bucket          place 1                     place 2, 3
 *  +------+------+ +-------+---------+-----+
 *  | slot | slot | | check | version | key |    ...
 *  +------+------+ +-------+---------+-----+
 *                    0: dead, 1: being written, else code over version, key and place
 *                            forward in a dead record
 * </pre>
 *
 * <p>The version stands for the value, too. The last place is a segment of its own, which may go and come again.
 */
final class Heap
{
    static final int SLOTS = 2;
    static final int PLACES = 3;
    static final int LAST = PLACES;
    static final int RECORD_WORDS = 3;
    static final int WORDS = SLOTS + PLACES * RECORD_WORDS;

    /** What stands where no key, no place, or no value is. */
    static final int NONE = 0;
    /** The key that is looked up, and one with the same fingerprint. */
    static final int SOUGHT = 1;
    static final int TWIN = 2;
    static final int KEYS = TWIN;

    static final int DEAD = 0;
    static final int BEING_WRITTEN = 1;
    private static final int FIRST_CODE = 2;

    private static final int VERSION = 1;
    private static final int KEY = 2;

    private Heap()
    {
    }

    static int slot(final int number)
    {
        return number;
    }

    /** The check word of a place; behind it are the other words. */
    static int check(final int place)
    {
        return SLOTS + (place - 1) * RECORD_WORDS;
    }

    static int version(final int place)
    {
        return check(place) + VERSION;
    }

    static int key(final int place)
    {
        return check(place) + KEY;
    }

    /** A code that no other version, key and place has. */
    static int code(final int version, final int key, final int place)
    {
        return FIRST_CODE + (version * (KEYS + 1) + key) * PLACES + place - 1;
    }
}
