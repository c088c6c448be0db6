package org.onesided.client.jcache;

import java.util.Objects;
import javax.cache.processor.MutableEntry;

/**
 * An entry as an entry processor sees it. What the processor does counts together, as one change, when it is done. Not
 * thread-safe.
 *
 * @param <K> type of the key.
 * @param <V> type of the values.
 */
final class InvokedEntry<K, V> implements MutableEntry<K, V>
{
    private final K key;
    private final Found<V> found;
    private final Loading<K, V> loading;
    private State state = State.UNTOUCHED;
    private V value;

    private enum State
    {
        UNTOUCHED,
        ACCESSED,
        LOADED,
        SET,
        REMOVED
    }

    InvokedEntry(final K key, final Found<V> found, final Loading<K, V> loading)
    {
        this.key = key;
        this.found = found;
        this.loading = loading;
    }

    @Override
    public K getKey()
    {
        return key;
    }

    @Override
    public boolean exists()
    {
        return switch (state)
        {
            case UNTOUCHED, ACCESSED -> found.exists();
            case LOADED, SET -> true;
            case REMOVED -> false;
        };
    }

    @Override
    public V getValue()
    {
        if (state == State.UNTOUCHED)
        {
            if (found.exists())
            {
                value = found.value();
                state = State.ACCESSED;
            }
            else if (loading.isReadThrough())
            {
                value = loading.load(key);
                state = value == null ? State.UNTOUCHED : State.LOADED;
            }
        }
        return value;
    }

    @Override
    public void setValue(final V next)
    {
        value = Objects.requireNonNull(next, "value");
        state = State.SET;
    }

    @Override
    public void remove()
    {
        value = null;
        // A value that only this processor has seen was never there.
        state = state == State.SET && !found.exists() || state == State.LOADED ? State.UNTOUCHED : State.REMOVED;
    }

    /** Says what becomes of the entry; tells the writer before. */
    Verdict<V> finish(final Writing<K, V> writing)
    {
        switch (state)
        {
            case ACCESSED:
                return Verdict.access();
            case LOADED:
                return Verdict.store(value);
            case SET:
                writing.write(key, value);
                return Verdict.store(value);
            case REMOVED:
                writing.delete(key);
                return Verdict.remove();
            default:
                return Verdict.leave();
        }
    }

    @Override
    public <T> T unwrap(final Class<T> type)
    {
        return Unwrapping.of(type, this);
    }
}
