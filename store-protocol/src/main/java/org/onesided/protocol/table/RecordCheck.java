package org.onesided.protocol.table;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import org.agrona.UnsafeApi;

/**
 * Computes a record's check word: a 64-bit code over all of the record but the word itself, its table offset, and the
 * table's seed. A READ may show a record while it changes, its cache lines in any order; only a code over everything
 * tells (Ziegler et al., "Design Guidelines for Correct, Efficient, and Scalable Synchronization using One-Sided RDMA",
 * SIGMOD 2023). A wrong record passes with odds of 2<sup>-64</sup>.
 *
 * <pre>
 *  code = mix(mix(hash(all after the version) + (table offset + 1) * ODD) + version)
 *  code with an expiry = mix(code + expiry)
 * </pre>
 *
 * <p>Version, offset and expiry are not hashed but mixed in by bijections, after the hash of the rest: so a long record
 * can be hashed in steps before its version is known, and gets another expiry without being hashed again. The hash is
 * XXH3 of 64 bits for up to {@value #MAX_SHORT_LENGTH} bytes, for which it has ways of its own, and XXH64 beyond, which
 * takes up to a quarter less time there in Java; both seeded. Hashes that multiply words xored with published constants
 * (rapidhash, wyhash) are faster on some JVMs, but a value that holds such a constant makes them blind to the word
 * after it, whatever the seed.
 *
 * <p>Thread-safe.
 */
public final class RecordCheck
{
    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    /** XXH3 hashes up to so many bytes after the version, XXH64 hashes more. */
    static final int MAX_SHORT_LENGTH = 240;

    private final Hasher64 shortHasher;
    private final Hasher64 longHasher;

    /**
     * @param seed of the table.
     */
    public RecordCheck(final long seed)
    {
        shortHasher = Hashing.xxh3_64(seed);
        longHasher = Hashing.xxh64(seed);
    }

    /**
     * @param address     of the record's bytes, here.
     * @param length      of the record in bytes, header included, without the zeroed tail.
     * @param tableOffset of the record in the region.
     * @return the code; neither {@link RecordDescriptor#DEAD} nor {@link RecordDescriptor#BEING_WRITTEN}.
     */
    public long code(final long address, final long length, final long tableOffset)
    {
        final long version = UnsafeApi.getLong(address + RecordDescriptor.VERSION_OFFSET);
        if (RecordDescriptor.hasExpiry(UnsafeApi.getShort(address + RecordDescriptor.FLAGS_OFFSET)))
        {
            final long end = length - RecordDescriptor.EXPIRY_LENGTH;
            return withExpiry(mixed(hash(address, end), version, tableOffset), UnsafeApi.getLong(address + end));
        }
        return combine(hash(address, length), version, tableOffset);
    }

    private long hash(final long address, final long end)
    {
        final long from = address + RecordDescriptor.FLAGS_OFFSET;
        final long length = end - RecordDescriptor.FLAGS_OFFSET;
        return length <= MAX_SHORT_LENGTH ?
            shortHasher.hashBytesToLong(null, from, length, RawBytes.INSTANCE) :
            longHasher.hashBytesToLong(null, from, length, RawBytes.INSTANCE);
    }

    /**
     * Gives the code of a record that gets another expiry and stays as it is otherwise.
     *
     * @param code   of the record.
     * @param expiry that it has.
     * @param next   that it gets.
     * @return the new code, or 0 if it must be computed from the record's bytes, as for one in 2<sup>62</sup>.
     */
    public static long recode(final long code, final long expiry, final long next)
    {
        return code == ODD ? 0 : withExpiry(unmix(code) - expiry, next);
    }

    static long combine(final long hash, final long version, final long tableOffset)
    {
        return usable(mixed(hash, version, tableOffset));
    }

    static long combine(final long hash, final long version, final long tableOffset, final long expiry)
    {
        return withExpiry(mixed(hash, version, tableOffset), expiry);
    }

    private static long mixed(final long hash, final long version, final long tableOffset)
    {
        return mix(mix(hash + (tableOffset + 1) * ODD) + version);
    }

    private static long withExpiry(final long mixed, final long expiry)
    {
        return usable(mix(mixed + expiry));
    }

    private static long usable(final long code)
    {
        return code == RecordDescriptor.DEAD || code == RecordDescriptor.BEING_WRITTEN ? ODD : code;
    }

    /**
     * @return what computes codes of this table's records in steps.
     */
    public RecordCheckStream stream()
    {
        return new RecordCheckStream(shortHasher.hashStream(), longHasher.hashStream());
    }

    /** A bijection, the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
    private static long mix(final long word)
    {
        final long first = (word ^ word >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        final long second = (first ^ first >>> 27) * 0x94D0_49BB_1331_11EBL;
        return second ^ second >>> 31;
    }

    /** The inverse of {@link #mix}: each factor is the inverse of one there, modulo 2<sup>64</sup>. */
    private static long unmix(final long word)
    {
        final long second = (word ^ word >>> 31 ^ word >>> 62) * 0x3196_42B2_D24D_8EC3L;
        final long first = (second ^ second >>> 27 ^ second >>> 54) * 0x96DE_1B17_3F11_9089L;
        return first ^ first >>> 30 ^ first >>> 60;
    }
}
