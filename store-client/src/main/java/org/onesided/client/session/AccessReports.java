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
 * session has too little traffic for a report, its samples wait. For the life line's thread.
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
    private static final long MAX_SAMPLING = 1 << 20;

    private final AccessSampler sampler;
    private final Counters counters;
    private final int shards;
    private final IntSupplier sessions;
    /** Least samples of a report before {@link #PERIOD_NS}: nearly all of its bytes are samples. */
    private final int many;
    private final UnsafeBuffer words = new UnsafeBuffer(new byte[AccessWord.MAX_COUNT * AccessWord.LENGTH]);
    /** Of each shard, where its next word goes, in bytes. */
    private final int[] ends;
    private final AccessesEncoder message = new AccessesEncoder();
    /** When the last report was made, and the bytes transferred until then. */
    private long reportedNs;
    private long bytes;
    /** When it last set how many are sampled, and the bytes and lookups until then. */
    private long learnedNs;
    private long learnedBytes;
    private long learnedLookups;
    /** Reports since then, and their samples that were no random ones. */
    private long reports;
    private long forKeys;
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
        this.counters = counters;
        this.shards = shards;
        this.sessions = sessions;
        ends = new int[shards + 1];
        many = Math.max(AccessSampler.MANY, 2 * SHARD_OVERHEAD * shards);
        mark(nowNs);
        learnedNs = nowNs;
        learnedBytes = bytes;
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

    /** Whether lookups were sampled since this was last asked. */
    boolean isFresh()
    {
        final long before = seen;
        seen = sampler.written();
        return seen != before;
    }

    /** How many samples may be reported now; 0 if it is not yet time for a report. */
    int due(final long nowNs)
    {
        final int size = sampler.size();
        final long sinceNs = nowNs - reportedNs;
        if (size == 0 || sinceNs < (size < many ? PERIOD_NS : SHORT_PERIOD_NS))
        {
            return 0;
        }
        final long allowed = allowed(bytes() - bytes, sinceNs, 1);
        return allowed < Math.min(size, sinceNs < PERIOD_NS ? many : LEAST) ? 0 : (int)Math.min(size, allowed);
    }

    /** How many samples a time allows for in which so many bytes were transferred, and so many reports sent. */
    private long allowed(final long transferred, final long sinceNs, final long reports)
    {
        final long spare = transferred / BYTES_PER_BYTE - reports * (OVERHEAD + (long)SHARD_OVERHEAD * shards);
        final long rate = AccessWord.MAX_RATE / Math.max(1, sessions.getAsInt());
        final long inTime = (long)((double)rate * sinceNs / TimeUnit.SECONDS.toNanos(1));
        return Math.max(0, Math.min(AccessWord.MAX_COUNT, Math.min(spare / AccessWord.LENGTH, inTime)));
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
        final long droppedNow = sampler.dropped();
        message.wrapAndApplyHeader(to, 0, header)
            .sampling(sampler.sampling())
            .dropped(Math.min(Integer.MAX_VALUE, droppedNow - dropped));
        sort(count);
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
        forKeys += undrawn(count);
        sampler.remove(count);
        dropped = droppedNow;
        mark(nowNs);
        if (nowNs - learnedNs >= PERIOD_NS)
        {
            learn(nowNs);
        }
        return message.limit();
    }

    /** Sets how many lookups are sampled, at most once in {@link #PERIOD_NS}: a shorter time shows mostly chance. */
    private void learn(final long nowNs)
    {
        final long allowed = allowed(bytes - learnedBytes, nowNs - learnedNs, reports);
        final long lookups = lookups();
        // Leaves a quarter to spare, so that the ring seldom fills when lookups become more.
        final long wanted = (lookups - learnedLookups) * 4 / (Math.max(1, allowed - forKeys) * 3) + 1;
        sampler.sampling((int)Math.min(MAX_SAMPLING, wanted));
        learnedNs = nowNs;
        learnedBytes = bytes;
        learnedLookups = lookups;
        reports = 0;
        forKeys = 0;
    }

    /** Puts the words of the oldest samples in the order of their shards; {@link #ends} says where each shard's end. */
    private void sort(final int count)
    {
        Arrays.fill(ends, 0);
        for (int i = 0; i < count; i++)
        {
            ends[KeyHash.shard(sampler.hash(i), shards) + 1] += AccessWord.LENGTH;
        }
        for (int shard = 1; shard <= shards; shard++)
        {
            ends[shard] += ends[shard - 1];
        }
        for (int i = 0; i < count; i++)
        {
            final long hash = sampler.hash(i);
            final int shard = KeyHash.shard(hash, shards);
            final long word = AccessWord.of(hash, sampler.isFound(i), sampler.isDrawn(i));
            words.putLong(ends[shard], word, ByteOrder.LITTLE_ENDIAN);
            ends[shard] += AccessWord.LENGTH;
        }
    }

    /** How many of the oldest samples are not in the random sample. */
    private int undrawn(final int count)
    {
        int undrawn = 0;
        for (int i = 0; i < count; i++)
        {
            undrawn += sampler.isDrawn(i) ? 0 : 1;
        }
        return undrawn;
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

    private void mark(final long nowNs)
    {
        reportedNs = nowNs;
        bytes = bytes();
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
