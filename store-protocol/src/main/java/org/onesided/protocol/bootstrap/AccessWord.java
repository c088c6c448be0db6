package org.onesided.protocol.bootstrap;

/**
 * One sampled lookup in 64 bits, as {@code Accesses} carries it.
 *
 * <pre>
 *   63                                                          1   0
 *  +-------------------------------------------------------------+---+
 *  | hash of the key, without its lowest bit                     | f |  f: 1 if the key was found
 *  +-------------------------------------------------------------+---+
 * </pre>
 *
 * <p>Neither fingerprint nor bucket need the lowest bit of a hash. The shard does, so {@code Accesses} names it.
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

    private AccessWord()
    {
    }

    /**
     * @param hash    of the key.
     * @param isFound whether the lookup found it.
     * @return the word.
     */
    public static long of(final long hash, final boolean isFound)
    {
        return isFound ? hash | FOUND : hash & ~FOUND;
    }

    /**
     * @param hash of a key.
     * @return what a word tells of it: the same for two hashes that differ in the lowest bit only.
     */
    public static long key(final long hash)
    {
        return hash & ~FOUND;
    }

    /**
     * @param word as {@link #of} made it.
     * @return whether the lookup found the key.
     */
    public static boolean isFound(final long word)
    {
        return (word & FOUND) != 0;
    }
}
