package org.onesided.client.session;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.bootstrap.AccessWord;
import org.onesided.protocol.bootstrap.codec.AccessesEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.table.KeyHash;

/**
 * Makes reports of a session's sampled lookups, and adapts how many are sampled: reports take at most 1 % of the bytes
 * of the session's traffic, and {@link AccessWord#MAX_RATE} samples a second of all sessions of the client. Where a
 * session has too little traffic for a report, its samples wait. A report takes the newest, and the older ones are
 * dropped. For the life line's thread.
 */
final class AccessReports
{
    /** Time from one report to the next while few samples wait. */
    static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Shortest time while many wait: a small cache soon drops a record whose lookups it has not heard of. */
    static final long SHORT_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(4);

    /** Reports take one byte for so many of lookups and writes. */
    private static final long BYTES_PER_BYTE = 100;
    /** Bytes of request and answer of a write, without its value. */
    private static final long WRITE_OVERHEAD = 128;
    /** Frame, header, fields and group of a message, and what it has for each shard. */
    private static final int OVERHEAD = 36;
    private static final int SHARD_OVERHEAD = 4;
    /** A report of fewer is not made while there are more samples. */
    private static final int LEAST = 16;
    /** Samples that may wait in a ring. */
    private static final int MOST = SampleRing.CAPACITY - SampleRing.CAPACITY / 8;
    private static final long MAX_SAMPLING = 1 << 20;

    private final AccessSampler sampler;
    private final SampleRing drawn;
    private final SampleRing keyed;
    private final Counters counters;
    private final int shards;
    private final IntSupplier sessions;
    /** Least samples of a report before {@link #PERIOD_NS}: nearly all of its bytes are samples. */
    private final int many;
    private final UnsafeBuffer words = new UnsafeBuffer(new byte[AccessWord.MAX_COUNT * AccessWord.LENGTH]);
    /** Of each shard, where its next word goes, in bytes. */
    private final int[] ends;
    private final AccessesEncoder message = new AccessesEncoder();
    /** When the last report was made. */
    private long reportedNs;
    /** Samples and bytes of reports that may still be sent; when that was last set, and the bytes transferred then. */
    private double samplesLeft;
    private long bytesLeft;
    private long earnedNs;
    private long earnedFrom;
    /** When it last set how many are sampled, and the bytes and lookups until then. */
    private long learnedNs;
    private long learnedBytes;
    private long learnedLookups;
    private long learnedKeyed;
    /** Reports since then. */
    private long reports;
    /** Samples that were dropped until the last report. */
    private long dropped;
    private long seen;

    /**
     * @param sampler  of the session.
     * @param counters of the session.
     * @param shards   of the table.
     * @param sessions how many the client has.
     * @param nowNs    the time.
     */
    AccessReports(
        final AccessSampler sampler,
        final Counters counters,
        final int shards,
        final IntSupplier sessions,
        final long nowNs)
    {
        this.sampler = sampler;
        drawn = sampler.drawn();
        keyed = sampler.keyed();
        this.counters = counters;
        this.shards = shards;
        this.sessions = sessions;
        ends = new int[shards + 1];
        many = Math.max(AccessSampler.MANY, 2 * SHARD_OVERHEAD * shards);
        reportedNs = nowNs;
        earnedNs = nowNs;
        earnedFrom = bytes();
        learnedNs = nowNs;
        learnedBytes = earnedFrom;
        learnedLookups = lookups();
    }

    /** Whether there are reports at all. */
    boolean isActive()
    {
        return sampler.isActive();
    }

    /** Lets all lookups be reported that find certain keys, see {@link AccessSampler#keys}. */
    void keys(final int bits)
    {
        sampler.keys(bits);
    }

    /** Finds out whether lookups were sampled since the last call. */
    boolean checkFresh()
    {
        final long before = seen;
        seen = drawn.written() + keyed.written();
        return seen != before;
    }

    /** How many samples may be reported now; 0 if it is not yet time for a report. */
    int due(final long nowNs)
    {
        // A full ring would drop what comes next, which is worth more.
        drawn.keepNewest(MOST);
        keyed.keepNewest(MOST);
        final int size = drawn.size() + keyed.size();
        final long sinceNs = nowNs - reportedNs;
        if (size == 0 || sinceNs < (size < many ? PERIOD_NS : SHORT_PERIOD_NS))
        {
            return 0;
        }
        earn(nowNs);
        final int allowed = (int)Math.min(samplesLeft, inBytes(bytesLeft, 1));
        return allowed < Math.min(size, sinceNs < PERIOD_NS ? many : LEAST) ? 0 : Math.min(size, allowed);
    }

    /** What is not used is saved, up to a report of the greatest length: traffic comes in bursts. */
    private void earn(final long nowNs)
    {
        samplesLeft = Math.min(AccessWord.MAX_COUNT, samplesLeft + inTime(nowNs - earnedNs));
        final long transferred = bytes() - earnedFrom;
        bytesLeft = Math.min(lengthOf(AccessWord.MAX_COUNT), bytesLeft + transferred / BYTES_PER_BYTE);
        earnedNs = nowNs;
        earnedFrom += transferred - transferred % BYTES_PER_BYTE;
    }

    private double inTime(final long ns)
    {
        return (double)AccessWord.MAX_RATE / Math.max(1, sessions.getAsInt()) * ns / TimeUnit.SECONDS.toNanos(1);
    }

    /** Samples for which so many bytes of so many reports have room. */
    private long inBytes(final long length, final long count)
    {
        return Math.max(0, (length - count * lengthOf(0)) / AccessWord.LENGTH);
    }

    /** Maximum length of a report of so many samples. */
    private long lengthOf(final int count)
    {
        return OVERHEAD + (long)SHARD_OVERHEAD * shards + (long)count * AccessWord.LENGTH;
    }

    /**
     * Writes a report, and sets how many lookups are sampled until the next.
     *
     * @param to    the message.
     * @param count of samples, as {@link #due} has it, at least 1.
     * @return its length in bytes.
     */
    int write(final MutableDirectBuffer to, final MessageHeaderEncoder header, final int count, final long nowNs)
    {
        // The policy needs the random sample: it gets at least half of a report that cannot take all.
        final int ofDrawn = Math.min(drawn.size(), Math.max((count + 1) / 2, count - keyed.size()));
        final int ofKeyed = Math.min(keyed.size(), count - ofDrawn);
        drawn.keepNewest(ofDrawn);
        keyed.keepNewest(ofKeyed);
        final long droppedNow = drawn.dropped() + keyed.dropped();
        message.wrapAndApplyHeader(to, 0, header)
            .sampling(sampler.sampling())
            .dropped(Math.min(Integer.MAX_VALUE, droppedNow - dropped));
        sort(ofDrawn, ofKeyed);
        final AccessesEncoder.ShardsEncoder group = message.shardsCount(shardsWithWords());
        for (int shard = 0; shard < shards; shard++)
        {
            final int begin = shard == 0 ? 0 : ends[shard - 1];
            if (ends[shard] > begin)
            {
                group.next().shard(shard).putWords(words, begin, ends[shard] - begin);
            }
        }
        reports++;
        drawn.remove(ofDrawn);
        keyed.remove(ofKeyed);
        dropped = droppedNow;
        reportedNs = nowNs;
        samplesLeft -= ofDrawn + ofKeyed;
        bytesLeft -= lengthOf(ofDrawn + ofKeyed);
        if (nowNs - learnedNs >= PERIOD_NS)
        {
            learn(nowNs);
        }
        return message.limit();
    }

    /** Sets how many lookups are sampled, at most once in {@link #PERIOD_NS}: a shorter time shows mostly chance. */
    private void learn(final long nowNs)
    {
        final long bytes = bytes();
        final long allowed = Math.min(AccessWord.MAX_COUNT,
            Math.min((long)inTime(nowNs - learnedNs), inBytes((bytes - learnedBytes) / BYTES_PER_BYTE, reports)));
        final long lookups = lookups();
        // Leaves a quarter to spare, so that the ring seldom fills when lookups become more.
        final long forDrawn = Math.max(allowed / 2, allowed - (keyed.written() - learnedKeyed));
        final long wanted = (lookups - learnedLookups) * 4 / (Math.max(1, forDrawn) * 3) + 1;
        sampler.sampling((int)Math.min(MAX_SAMPLING, wanted));
        learnedNs = nowNs;
        learnedBytes = bytes;
        learnedLookups = lookups;
        learnedKeyed = keyed.written();
        reports = 0;
    }

    /** Puts the words of so many samples in the order of their shards; {@link #ends} says where each shard's end. */
    private void sort(final int ofDrawn, final int ofKeyed)
    {
        Arrays.fill(ends, 0);
        measure(drawn, ofDrawn);
        measure(keyed, ofKeyed);
        for (int shard = 1; shard <= shards; shard++)
        {
            ends[shard] += ends[shard - 1];
        }
        place(drawn, ofDrawn, true);
        place(keyed, ofKeyed, false);
    }

    private void measure(final SampleRing ring, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            ends[KeyHash.shard(ring.hash(i), shards) + 1] += AccessWord.LENGTH;
        }
    }

    private void place(final SampleRing ring, final int count, final boolean isDrawn)
    {
        for (int i = 0; i < count; i++)
        {
            final long hash = ring.hash(i);
            final int shard = KeyHash.shard(hash, shards);
            words.putLong(ends[shard], AccessWord.of(hash, ring.isFound(i), isDrawn), ByteOrder.LITTLE_ENDIAN);
            ends[shard] += AccessWord.LENGTH;
        }
    }

    private int shardsWithWords()
    {
        int count = 0;
        for (int shard = 0; shard < shards; shard++)
        {
            count += ends[shard] > (shard == 0 ? 0 : ends[shard - 1]) ? 1 : 0;
        }
        return count;
    }

    private long bytes()
    {
        return counters.get(Counters.BYTES_READ) + counters.get(Counters.BYTES_PUT) +
            WRITE_OVERHEAD * (counters.get(Counters.PUTS) + counters.get(Counters.DELETES));
    }

    private long lookups()
    {
        return counters.get(Counters.HITS) + counters.get(Counters.MISSES);
    }
}
