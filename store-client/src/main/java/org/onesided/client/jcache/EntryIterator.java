package org.onesided.client.jcache;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.cache.Cache;

/**
 * Goes through the keys that the cache had when the iterator was made, and looks each up when its turn comes. Not
 * thread-safe.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class EntryIterator<K, V> implements Iterator<Cache.Entry<K, V>>
{
    private final Iterator<byte[]> encoded;
    private final Entries<K, V> entries;
    private final Function<K, V> access;
    private final Consumer<K> removal;
    private K next;
    private V peeked;
    private K last;

    /**
     * @param entries of the cache.
     * @param access  looks an entry up, which counts as an access; null if it has left.
     * @param removal removes an entry.
     */
    EntryIterator(final Entries<K, V> entries, final Function<K, V> access, final Consumer<K> removal)
    {
        this.entries = entries;
        this.access = access;
        this.removal = removal;
        encoded = entries.encodedKeys().iterator();
    }

    @Override
    public boolean hasNext()
    {
        while (next == null && encoded.hasNext())
        {
            final byte[] key = encoded.next();
            peeked = entries.peek(key);
            next = peeked == null ? null : entries.decodeKey(key);
        }
        return next != null;
    }

    @Override
    public Cache.Entry<K, V> next()
    {
        if (!hasNext())
        {
            throw new NoSuchElementException();
        }
        last = next;
        next = null;
        final V value = access.apply(last);
        // It may have left since hasNext said that it is there.
        return new SimpleEntry<>(last, value == null ? peeked : value);
    }

    @Override
    public void remove()
    {
        if (last == null)
        {
            throw new IllegalStateException("nothing to remove, call next first");
        }
        removal.accept(last);
        last = null;
    }
}
