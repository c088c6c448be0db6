package org.onesided.client.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.onesided.client.typed.Codec;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;

/**
 * Puts many entries with two messages' waits in place of two for each: looks all up, which tells the new ones from the
 * others, and puts all under the condition that this has not changed. For one call, by one thread.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class BatchPut<K, V>
{
    private final Pairs pairs;
    private final Codec<K> keyCodec;
    private final Codec<V> valueCodec;
    private final ExpiryRules expiry;
    private final List<Map.Entry<K, V>> chosen = new ArrayList<>();
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private final List<PutOptions> options = new ArrayList<>();

    BatchPut(final Pairs pairs, final Codec<K> keyCodec, final Codec<V> valueCodec, final ExpiryRules expiry)
    {
        this.pairs = pairs;
        this.keyCodec = keyCodec;
        this.valueCodec = valueCodec;
        this.expiry = expiry;
    }

    /**
     * Puts entries.
     *
     * @param wanted to put.
     * @param left   gets those that must be put one by one.
     * @return how many were put.
     */
    int put(final Map<K, V> wanted, final Map<K, V> left)
    {
        final List<Map.Entry<K, V>> order = List.copyOf(wanted.entrySet());
        final List<byte[]> encoded = order.stream().map((pair) -> keyCodec.encode(pair.getKey())).toList();
        final List<byte[]> found = pairs.getAll(encoded);
        for (int i = 0; i < order.size(); i++)
        {
            choose(order.get(i), encoded.get(i), found.get(i) != null, left);
        }
        if (chosen.isEmpty())
        {
            return 0;
        }
        final List<WriteOutcome> outcomes = pairs.putAll(pairs.locateAll(keys), values, options);
        int count = 0;
        for (int i = 0; i < outcomes.size(); i++)
        {
            if (outcomes.get(i).applied())
            {
                count++;
            }
            else
            {
                // Somebody was faster.
                left.put(chosen.get(i).getKey(), chosen.get(i).getValue());
            }
        }
        return count;
    }

    private void choose(
        final Map.Entry<K, V> pair, final byte[] key, final boolean exists, final Map<K, V> left)
    {
        final Expiry time = exists ? expiry.update() : expiry.creation();
        if (time != null)
        {
            chosen.add(pair);
            keys.add(key);
            values.add(valueCodec.encode(pair.getValue()));
            options.add((exists ? PutOptions.ifPresent() : PutOptions.ifAbsent()).expiry(time));
        }
        else if (exists)
        {
            left.put(pair.getKey(), pair.getValue());
        }
        // A new entry whose time is over at once is none.
    }
}
