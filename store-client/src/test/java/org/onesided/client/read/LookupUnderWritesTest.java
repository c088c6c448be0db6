package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.waiting.Pause;

/**
 * Lookups amid random writes, each READ of a record delivered line by line, and of a bucket word by word, in random
 * order with the server's steps in between.
 */
class LookupUnderWritesTest
{
    private static final int LOOKUPS = 20_000;
    private static final int KEYS = 40;

    private static final int WORLDS = 100;
    private static final int SPLIT_LEVELS = 4;

    private Random random;
    private List<byte[]> keys;
    private int found;
    private int absent;
    private int retries;
    private int mends;
    private int splits;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldGiveOnlyWhatTheKeyHeldMeanwhile(final long seed)
    {
        begin(seed);
        lookUp(seed, 1, LOOKUPS);

        // Few are left to the server, or the test has shown little.
        assertTrue(found > LOOKUPS / 3 && absent > LOOKUPS / 20, "found=" + found + " absent=" + absent);
        assertTrue(found + absent > LOOKUPS * 9 / 10, "found=" + found + " absent=" + absent);
        assertTrue(retries > 0);
        assertTrue(mends > 100, "mends=" + mends);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldGiveOnlyWhatTheKeyHeldWhileBucketsAreSplit(final long seed)
    {
        begin(seed);
        for (int i = 0; i < WORLDS; i++)
        {
            lookUp(seed, SPLIT_LEVELS, LOOKUPS / WORLDS);
        }
        assertTrue(found > LOOKUPS / 3 && absent > LOOKUPS / 20, "found=" + found + " absent=" + absent);
        assertTrue(found + absent > LOOKUPS * 9 / 10, "found=" + found + " absent=" + absent);
        assertTrue(splits > WORLDS * 10, "splits=" + splits);
    }

    private void begin(final long seed)
    {
        random = new Random(seed);
        keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++)
        {
            keys.add(TestRegion.bytes("key-" + i));
        }
    }

    private void lookUp(final long seed, final int levels, final int lookups)
    {
        try (TestRegion region = new TestRegion(levels))
        {
            final SteppingServer server = new SteppingServer(region, random, keys);
            final Counters counters = new Counters();
            final RegionReader reader = new TearingReader(region, server, random);
            // A mirror is stale most of the time here, which must never matter.
            final Table table = SessionParts.table(region.superblock, 64 * BucketDescriptor.LENGTH, HeapMemory::new);
            final RecordReader records =
                new RecordReader(reader, table, region.buffer(RecordReader.MAX_SHORT_LENGTH), region::buffer, counters);
            final Lookup lookup = new Lookup(reader, records, table, region.buffer(BucketDescriptor.LENGTH), counters,
                new Patience(() -> 0, 0, Pause::after));
            for (int i = 0; i < lookups; i++)
            {
                lookUp(seed, region, server, lookup, records);
            }
            retries += (int)SessionParts.count(counters, Counters.RETRIES);
            mends += server.mends();
            splits += server.splits();
        }
    }

    private void lookUp(
        final long seed,
        final TestRegion region,
        final SteppingServer server,
        final Lookup lookup,
        final RecordReader records)
    {
        final int key = random.nextInt(KEYS);
        final byte[] bytes = keys.get(key);
        server.watch(key);
        final RegisteredBuffer copy = region.keySpace(bytes);
        final int outcome = lookup.find(copy.range().address(), bytes.length, region.hash(bytes));
        if (outcome == Lookup.FOUND)
        {
            found++;
            final byte[] value = new byte[records.valueLength()];
            UnsafeApi.copyMemory(
                null, records.valueAddress(), value, BufferUtil.ARRAY_BASE_OFFSET, value.length);
            final String text = new String(value, StandardCharsets.UTF_8);
            assertTrue(server.allows(text), () -> "seed=" + seed + " got " + text + " of " + server.held());
        }
        else if (outcome == Lookup.ABSENT)
        {
            absent++;
            assertTrue(server.allows(null), () -> "seed=" + seed + " absent, but held " + server.held());
        }
    }

    private static final class TearingReader implements RegionReader
    {
        private static final int LINE = 64;

        private final TestRegion region;
        private final SteppingServer server;
        private final Random random;

        TearingReader(final TestRegion region, final SteppingServer server, final Random random)
        {
            this.region = region;
            this.server = server;
            this.random = random;
        }

        @Override
        public void enqueue(
            final int shard,
            final long tableOffset,
            final long length,
            final RegisteredBuffer target,
            final long targetOffset)
        {
            final int unit = length == BucketDescriptor.LENGTH ? Long.BYTES : LINE;
            final List<Long> parts = new ArrayList<>();
            for (long part = tableOffset / unit * unit; part < tableOffset + length; part += unit)
            {
                parts.add(part);
            }
            Collections.shuffle(parts, random);
            for (final long part : parts)
            {
                for (int steps = random.nextInt(8) == 0 ? random.nextInt(12) : 0; steps > 0; steps--)
                {
                    server.step();
                }
                final long from = Math.max(part, tableOffset);
                final long to = Math.min(part + unit, tableOffset + length);
                UnsafeApi.copyMemory(
                    region.address + from,
                    target.addressOf(targetOffset + from - tableOffset, to - from),
                    to - from);
            }
        }

        @Override
        public void complete()
        {
            // Each READ was carried out as it came.
        }
    }
}
