package org.onesided.client.jcache;

import org.jspecify.annotations.Nullable;
import org.onesided.client.typed.Codec;
import org.onesided.client.types.VersionedValue;

/**
 * What an operation found at a key; decodes the value when it is asked for. Not thread-safe.
 *
 * @param <V> type of the values.
 */
final class Found<V>
{
    private final VersionedValue<byte[]> bytes;
    private final Codec<V> codec;
    private V value;

    /** @param bytes null if the key is absent. */
    Found(final @Nullable VersionedValue<byte[]> bytes, final Codec<V> codec)
    {
        this.bytes = bytes;
        this.codec = codec;
    }

    boolean exists()
    {
        return bytes != null;
    }

    VersionedValue<byte[]> versioned()
    {
        return bytes;
    }

    /** The value, or null if the key is absent; the same object each time. */
    V value()
    {
        if (value == null && bytes != null)
        {
            value = codec.decode(bytes.value());
        }
        return value;
    }
}
