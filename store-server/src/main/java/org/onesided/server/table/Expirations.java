package org.onesided.server.table;

import java.util.function.LongConsumer;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.expiry.ExpiryWheel;

/**
 * The times of a shard's records. A record whose time has come is absent for each request from then on, and is removed
 * by the first that meets it, or by {@link #step}. Not thread-safe.
 */
final class Expirations
{
    /** Records are found again by these bits of their key's hash. */
    private static final long KEY_BITS = 0xFFFF_FFFF_FFFFL;

    private final RecordMemory records;
    private final BucketChains chains;
    private final HeapSpace heap;
    private final KeyHash keyHash;
    private final TableTime time;
    private final LongConsumer remove;
    private final ExpiryWheel wheel;
    private long expiring;
    private long expired;

    /**
     * @param remove removes the record of the current slot, whose key has a hash, and mends its chain.
     */
    Expirations(
        final RecordMemory records,
        final BucketChains chains,
        final HeapSpace heap,
        final KeyHash keyHash,
        final TableTime time,
        final LongConsumer remove)
    {
        this.records = records;
        this.chains = chains;
        this.heap = heap;
        this.keyHash = keyHash;
        this.time = time;
        this.remove = remove;
        wheel = new ExpiryWheel(this::removeExpired);
    }

    /** Expiry of a record; {@link Expiry#NEVER} if it has none. */
    long of(final long offset)
    {
        if (!records.hasExpiry(offset))
        {
            return Expiry.NEVER;
        }
        return records.expiryAt(heap.place(offset, records.expiryOffset(offset) - offset));
    }

    /** Whether the time has come for a record that is there. */
    boolean isDue(final long offset)
    {
        final long expiry = of(offset);
        return expiry != Expiry.NEVER && isOver(expiry);
    }

    /** Whether a time is not to come any more. */
    boolean isOver(final long expiry)
    {
        return expiry <= time.now().getAsLong();
    }

    /** The time that a key gets which is absent, or whose record is at {@code offset}. */
    long resolve(final long expiry, final boolean present, final long offset)
    {
        if (expiry == Expiry.KEEP && present)
        {
            return of(offset);
        }
        if (expiry == Expiry.KEEP || expiry == Expiry.DEFAULT)
        {
            final long ttlMs = time.defaultTtlMs().getAsLong();
            return ttlMs == 0 ? Expiry.NEVER : time.now().getAsLong() + ttlMs;
        }
        return expiry;
    }

    /** Flags of a record that may be rewritten as a whole if it is short, and has to have room for a time if not. */
    static int flags(final int keyLength, final int valueLength, final long expiry)
    {
        return expiry != Expiry.NEVER ||
            RecordDescriptor.length(keyLength, valueLength) > RecordMemory.MAX_IN_PLACE_LENGTH ?
            RecordDescriptor.EXPIRY_FLAG : 0;
    }

    /** A key has another time: {@link Expiry#NEVER} before if it was absent, and afterwards if it is. */
    void onChange(final long hash, final long before, final long after)
    {
        if (before != Expiry.NEVER)
        {
            expiring--;
        }
        if (after != Expiry.NEVER)
        {
            expiring++;
            // The wheel looks no later than at the time before, and then learns the time of then.
            if (before == Expiry.NEVER || after < before)
            {
                wheel.add(hash & KEY_BITS, time.now().getAsLong(), after);
            }
        }
    }

    /**
     * Goes on with removing records whose time has come.
     *
     * @param budget records to look at.
     * @return how many were looked at.
     */
    int step(final int budget)
    {
        return wheel.size() == 0 ? 0 : wheel.step(time.now().getAsLong(), expiring, budget);
    }

    /** For how long {@link #step} has nothing to do, in milliseconds; {@link Long#MAX_VALUE} for ever. */
    long restMs()
    {
        if (wheel.size() == 0)
        {
            return Long.MAX_VALUE;
        }
        final long now = time.now().getAsLong();
        return Math.max(0, wheel.nextStep(now) - now);
    }

    /** A record was removed because its time had come. */
    void onExpired()
    {
        expired++;
    }

    private long removeExpired(final long key)
    {
        while (true)
        {
            long next = Expiry.NEVER;
            boolean isDue = false;
            chains.visit(key);
            while (!isDue && chains.next())
            {
                final long expiry = of(records.offset(chains.word()), key);
                isDue = expiry != Expiry.NEVER && isOver(expiry);
                if (expiry != Expiry.NEVER && (next == Expiry.NEVER || expiry < next))
                {
                    next = expiry;
                }
            }
            if (!isDue)
            {
                return next;
            }
            expired++;
            final long offset = records.offset(chains.word());
            remove.accept(hash(offset));
        }
    }

    /** Expiry of a record if it is one of a key; else {@link Expiry#NEVER}. */
    private long of(final long offset, final long key)
    {
        final long expiry = of(offset);
        return expiry != Expiry.NEVER &&
            (hash(offset) & KEY_BITS) == key ?
            expiry : Expiry.NEVER;
    }

    private long hash(final long offset)
    {
        return keyHash.hash(records.keyAddress(offset), records.keyLength(offset));
    }

    /** Records that expire. */
    long expiring()
    {
        return expiring;
    }

    /** Records removed because their time had come. */
    long expired()
    {
        return expired;
    }

    /** Bytes that the times take outside the region. */
    long bytes()
    {
        return wheel.bytes();
    }
}
