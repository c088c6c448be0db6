package org.onesided.client.jcache;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import javax.cache.CacheException;
import org.onesided.client.StoreClient;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.VersionedValue;

/**
 * Generation of a cache: part of the keys of its pairs, so that another one empties the cache at once for all clients.
 * Its name is a random number, which comes only once. A key of the store holds it:
 *
 * <pre>
 * jcache:NAME                  the generation, 16 hexadecimal digits
 * jcache:NAME:GENERATION:...   a pair of the cache
 * </pre>
 *
 * <p>The name of the cache is percent-encoded, so it has no colon. If the store evicts the generation, the cache is
 * empty, too: an older generation never comes back. Thread-safe.
 */
final class Generation
{
    static final int LENGTH = 16;
    private static final byte SEPARATOR = ':';

    private final StoreClient client;
    private final byte[] key;
    private final long maxAgeNs;
    private final Object noteLock = new Object();
    private volatile Known known;

    /**
     * @param client   of the store.
     * @param name     of the cache.
     * @param maxAgeNs for how long a generation counts that was read; 0 if it is read at each operation.
     */
    Generation(final StoreClient client, final String name, final long maxAgeNs)
    {
        this.client = client;
        key = ("jcache:" + URLEncoder.encode(name, StandardCharsets.UTF_8)).getBytes(StandardCharsets.US_ASCII);
        this.maxAgeNs = maxAgeNs;
    }

    /** The key that holds the generation. */
    byte[] key()
    {
        return key;
    }

    /** The generation if it need not be read again, or null. */
    byte[] fresh()
    {
        final Known last = known;
        return last != null && maxAgeNs > 0 && System.nanoTime() - last.readNs < maxAgeNs ? last.id : null;
    }

    /** The generation that was read last, or null if none was. */
    byte[] last()
    {
        final Known last = known;
        return last == null ? null : last.id;
    }

    /** Keeps a generation that was read, unless a later one is known: threads may come here in any order. */
    void note(final byte[] id, final long readNs)
    {
        synchronized (noteLock)
        {
            final Known last = known;
            if (last == null || readNs - last.readNs >= 0)
            {
                known = new Known(id, readNs);
            }
        }
    }

    /** Gives the generation, and reads it if it has to. */
    byte[] fetch()
    {
        final byte[] fresh = fresh();
        return fresh == null ? read() : fresh;
    }

    /** Reads the generation; begins one if there is none. */
    byte[] read()
    {
        final long nowNs = System.nanoTime();
        byte[] id = client.get(key);
        while (id == null)
        {
            final byte[] first = random();
            id = client.put(key, first, PutOptions.ifAbsent().expiry(Expiry.NEVER)).applied() ?
                first : client.get(key);
        }
        note(check(id), nowNs);
        return id;
    }

    /** Begins another generation. Returns the one before, whose pairs nobody finds any more, or null if none was. */
    byte[] renew()
    {
        final byte[] next = random();
        while (true)
        {
            final VersionedValue<byte[]> before = client.getVersioned(key);
            final PutOptions condition =
                before == null ? PutOptions.ifAbsent() : PutOptions.ifVersion(before.version());
            if (client.put(key, next, condition.expiry(Expiry.NEVER)).applied())
            {
                note(next, System.nanoTime());
                return before == null ? null : before.value();
            }
        }
    }

    /** What the keys of a generation begin with. */
    byte[] prefix(final byte[] id)
    {
        final byte[] prefix = Arrays.copyOf(key, key.length + 2 + LENGTH);
        prefix[key.length] = SEPARATOR;
        System.arraycopy(id, 0, prefix, key.length + 1, LENGTH);
        prefix[prefix.length - 1] = SEPARATOR;
        return prefix;
    }

    /** Fails if this is no generation. */
    byte[] check(final byte[] id)
    {
        if (id.length != LENGTH)
        {
            throw new CacheException("another program has put a value where a cache keeps its generation, delete the " +
                "key: key=" + new String(key, StandardCharsets.US_ASCII) + " length=" + id.length);
        }
        return id;
    }

    private static byte[] random()
    {
        return String.format("%016x", ThreadLocalRandom.current().nextLong()).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * A generation that was read.
     *
     * @param id     of the generation.
     * @param readNs when the reading began, by {@link System#nanoTime}.
     */
    private record Known(byte[] id, long readNs)
    {
    }
}
