package org.onesided.server.expiry;

/**
 * A stack of keys in chunks of {@link KeyChunks}. Not thread-safe.
 */
final class KeyList
{
    private final KeyChunks chunks;
    private int chunk = KeyChunks.NONE;
    /** Keys in the first chunk; the others are full. */
    private int count;

    KeyList(final KeyChunks chunks)
    {
        this.chunks = chunks;
    }

    boolean isEmpty()
    {
        return chunk == KeyChunks.NONE;
    }

    void push(final long key)
    {
        if (chunk == KeyChunks.NONE || count == KeyChunks.LENGTH)
        {
            chunk = chunks.take(chunk);
            count = 0;
        }
        chunks.key(chunk, count++, key);
    }

    /** Takes the key that was pushed last; there must be one. */
    long pop()
    {
        final long key = chunks.key(chunk, --count);
        if (count == 0)
        {
            chunk = chunks.giveBack(chunk);
            count = chunk == KeyChunks.NONE ? 0 : KeyChunks.LENGTH;
        }
        return key;
    }

    /** Takes all keys of another list; this one must be empty. */
    void takeAll(final KeyList other)
    {
        chunk = other.chunk;
        count = other.count;
        other.chunk = KeyChunks.NONE;
        other.count = 0;
    }
}
