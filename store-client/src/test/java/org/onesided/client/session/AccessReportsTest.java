package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.bootstrap.AccessWord;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.codec.AccessesDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.SuperblockDescriptor;

class AccessReportsTest
{
    private static final long STEP_NS = AccessReports.PERIOD_NS;

    private int timesMany;
    private final Counters counters = new Counters();
    private final AccessSampler sampler = new AccessSampler(true, () -> {}, () -> timesMany++);
    private final SplittableRandom random = new SplittableRandom(1);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Bootstrap.MAX_MESSAGE_LENGTH]);
    private final List<Long> expected = new ArrayList<>();
    private long nowNs = 1;
    private long sent;
    private long words;

    private AccessReports reports(final int shards, final int sessions)
    {
        return new AccessReports(sampler, counters, shards, () -> sessions, nowNs);
    }

    private void lookUp(final int count, final int bytesEach)
    {
        for (int i = 0; i < count; i++)
        {
            final boolean isFound = random.nextInt(4) > 0;
            counters.increment(isFound ? Counters.HITS : Counters.MISSES);
            counters.add(Counters.BYTES_READ, bytesEach);
            final long before = sampler.drawn().written();
            final long hash = random.nextLong();
            sampler.looked(hash, isFound);
            if (sampler.drawn().written() != before)
            {
                expected.add(AccessWord.of(hash, isFound, true));
            }
        }
    }

    private int report(final AccessReports reports)
    {
        final int count = reports.due(nowNs);
        if (count > 0)
        {
            sent += 8 + reports.write(message, new MessageHeaderEncoder(), count, nowNs);
            words += count;
        }
        return count;
    }

    @Test
    void shouldReportInOrderWhatWasLookedUpInEachShard()
    {
        final AccessReports reports = reports(SuperblockDescriptor.MAX_SHARDS, 1);
        sampler.sampling(1);
        lookUp(1700, 1000);
        nowNs += STEP_NS;
        final int count = report(reports);
        assertTrue(count > 1500, "count=" + count);

        final AccessesDecoder decoder =
            new AccessesDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        int last = -1;
        int seen = 0;
        for (final AccessesDecoder.ShardsDecoder each : decoder.shards())
        {
            final int shard = each.shard();
            assertTrue(shard > last && shard < SuperblockDescriptor.MAX_SHARDS);
            last = shard;
            each.wrapWords(view);
            int at = 0;
            for (int i = 0; i < view.capacity(); i += AccessWord.LENGTH)
            {
                final long word = view.getLong(i, ByteOrder.LITTLE_ENDIAN);
                at += expected.subList(at, count).indexOf(word);
                assertEquals(word, expected.get(at));
                // The lowest bits are flags, so the hash is one of four.
                assertTrue(LongStream.range(0, 4).anyMatch((low) ->
                    KeyHash.shard(word ^ low, SuperblockDescriptor.MAX_SHARDS) == shard));
                seen++;
            }
        }
        assertEquals(count, seen);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 4})
    void shouldStayBelowOnePerCentOfWhatIsRead(final int stepMs)
    {
        final long stepNs = TimeUnit.MILLISECONDS.toNanos(stepMs);
        final AccessReports reports = reports(4, 1);
        for (final int rate : new int[]{1, 3, 10, 100, 5000, 50_000, 200, 1})
        {
            for (int i = 0; i < 100; i++)
            {
                lookUp(rate, 160);
                nowNs += stepNs;
                report(reports);
            }
        }
        final long read = counters.get(Counters.BYTES_READ);
        assertTrue(sent * 100 <= read, "sent=" + sent + " read=" + read);
        assertTrue(sent * 1000 >= read * 3 || words > 1500 * stepMs, "sent=" + sent + " read=" + read);
    }

    @Test
    void shouldBoundTheRateOfAllSessionsTogether()
    {
        final AccessReports reports = reports(1, 5);
        for (int i = 0; i < 20; i++)
        {
            lookUp(50_000, 10_000);
            nowNs += STEP_NS;
            report(reports);
        }
        final double seconds = (double)(nowNs - 1) / TimeUnit.SECONDS.toNanos(1);
        assertTrue(words <= AccessWord.MAX_RATE / 5.0 * seconds, "words=" + words);
        assertTrue(words >= AccessWord.MAX_RATE / 5.0 * seconds / 2, "words=" + words);
    }

    @Test
    void shouldReportNothingWithoutLookupsNorTooOften()
    {
        final AccessReports reports = reports(1, 1);
        nowNs += STEP_NS;
        assertEquals(0, reports.due(nowNs));
        assertFalse(reports.checkFresh());
        lookUp(5000, 1000);
        assertTrue(reports.checkFresh());
        assertFalse(reports.checkFresh());
        assertTrue(report(reports) > 0);
        sampler.sampling(1);
        lookUp(AccessSampler.MANY / 2, 1000);
        assertEquals(0, reports.due(nowNs + STEP_NS - 1));
        assertTrue(reports.due(nowNs + STEP_NS) > 0);
    }

    @Test
    void shouldReportManySamplesSoon()
    {
        final AccessReports reports = reports(1, 1);
        sampler.sampling(1);
        lookUp(2 * AccessSampler.MANY, 10_000);
        assertTrue(timesMany > 0);
        assertEquals(0, reports.due(nowNs + AccessReports.SHORT_PERIOD_NS - 1));
        assertTrue(reports.due(nowNs + AccessReports.SHORT_PERIOD_NS) >= AccessSampler.MANY);
        nowNs += AccessReports.SHORT_PERIOD_NS;
        assertTrue(report(reports) > 0);
        // How many are sampled is not learned from so short a time.
        assertEquals(1, sampler.sampling());
    }

    @Test
    void shouldReportTheNewestAndCountTheOthersAsDropped()
    {
        final AccessReports reports = reports(1, 1);
        sampler.sampling(1);
        lookUp(1000, 10_000);
        nowNs += AccessReports.SHORT_PERIOD_NS;
        final int count = report(reports);
        assertTrue(count > 0 && count < expected.size() / 2, "count=" + count);
        assertEquals(expected.subList(expected.size() - count, expected.size()), reported());
        assertEquals(expected.size() - count, decode().dropped());
        lookUp(AccessSampler.MANY, 10_000);
        nowNs += STEP_NS;
        assertEquals(AccessSampler.MANY, report(reports));
        assertEquals(0, decode().dropped());
    }

    @Test
    void shouldKeepHalfOfTheReportsForTheRandomSample()
    {
        final AccessReports reports = reports(1, 1);
        sampler.keys(0);
        int drawn = 0;
        int keyed = 0;
        for (int i = 0; i < 20; i++)
        {
            // All keys are reported, and more lookups find one than may be.
            lookUp(10_000, 10_000);
            nowNs += STEP_NS;
            report(reports);
            if (i >= 10)
            {
                final int random = (int)reported().stream().filter(AccessWord::isDrawn).count();
                drawn += random;
                keyed += reported().size() - random;
            }
        }
        assertTrue(drawn * 2 > keyed, "drawn=" + drawn + " keyed=" + keyed);
        assertTrue(keyed > drawn, "drawn=" + drawn + " keyed=" + keyed);
    }

    private AccessesDecoder decode()
    {
        return new AccessesDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
    }

    /** Words of the last report. */
    private List<Long> reported()
    {
        final List<Long> reported = new ArrayList<>();
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        for (final AccessesDecoder.ShardsDecoder each : decode().shards())
        {
            each.wrapWords(view);
            for (int i = 0; i < view.capacity(); i += AccessWord.LENGTH)
            {
                reported.add(view.getLong(i, ByteOrder.LITTLE_ENDIAN));
            }
        }
        return reported;
    }

    @Test
    void shouldSampleAllLookupsOfLongValues()
    {
        final AccessReports reports = reports(1, 1);
        for (int i = 0; i < 3; i++)
        {
            lookUp(100, 64 << 10);
            nowNs += STEP_NS;
            report(reports);
        }
        assertEquals(1, sampler.sampling());
    }
}
