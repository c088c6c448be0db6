package org.onesided.protocol.bootstrap;

/**
 * One reported lookup in 64 bits, as {@code Accesses} carries it.
 *
 * <pre>
 *   63                                                      2   1   0
 *  +---------------------------------------------------------+---+---+
 *  | hash of the key, without its lowest bits                | d | f |
 *  +---------------------------------------------------------+---+---+
 * </pre>
 *
 * <p>f: 1 if the key was found. d: 1 if the lookup is in the random sample, 0 if it was reported because of its key
 * only. Neither fingerprint nor bucket need the lowest bits of a hash. The shard does, so {@code Accesses} names it.
 */
public final class AccessWord
{
    /** Bytes of a word. */
    public static final int LENGTH = Long.BYTES;
    /** Maximum number of words in a message: with all shards they fit into {@link Bootstrap#MAX_MESSAGE_LENGTH}. */
    public static final int MAX_COUNT = 2000;
    /** Maximum number of words that a client sends in a second, all its sessions together. */
    public static final int MAX_RATE = 20_000;

    private static final long FOUND = 1;
    private static final long DRAWN = 2;
    private static final long FLAGS = FOUND | DRAWN;

    private AccessWord()
    {
    }

    /**
     * @param hash    of the key.
     * @param isFound whether the lookup found it.
     * @param isDrawn whether the lookup is in the random sample.
     * @return the word.
     */
    public static long of(final long hash, final boolean isFound, final boolean isDrawn)
    {
        return hash & ~FLAGS | (isFound ? FOUND : 0) | (isDrawn ? DRAWN : 0);
    }

    /**
     * @param hash of a key.
     * @return what a word tells of it: the same for hashes that differ in the lowest bits only.
     */
    public static long key(final long hash)
    {
        return hash & ~FLAGS;
    }

    /**
     * @param word as {@link #of} made it.
     * @return whether the lookup found the key.
     */
    public static boolean isFound(final long word)
    {
        return (word & FOUND) != 0;
    }

    /**
     * @param word as {@link #of} made it.
     * @return whether the lookup is in the random sample.
     */
    public static boolean isDrawn(final long word)
    {
        return (word & DRAWN) != 0;
    }
}
