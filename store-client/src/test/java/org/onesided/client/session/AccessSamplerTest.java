package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class AccessSamplerTest
{
    private int samples;
    private final AccessSampler sampler = new AccessSampler(true, () -> samples++, () -> samples++);

    @Test
    void shouldSampleNothingForAServerThatDoesNotAsk()
    {
        final AccessSampler silent = new AccessSampler(false, () -> samples++, () -> samples++);
        for (int i = 0; i < 100_000; i++)
        {
            silent.looked(i, true);
        }
        assertEquals(0, silent.drawn().size() + silent.keyed().size());
        assertEquals(0, samples);
    }

    @Test
    void shouldKeepTheOrderAndTheOutcomeOfWhatItSamples()
    {
        sampler.sampling(1);
        // Takes over the sampling.
        sampler.looked(0, true);
        final SampleRing drawn = sampler.drawn();
        for (int i = 1; i <= 5000; i++)
        {
            drawn.keepNewest(1);
            final long before = drawn.written();
            sampler.looked(i, i % 3 == 0);
            assertEquals(before + 1, drawn.written());
            assertEquals(i, drawn.hash(drawn.size() - 1));
            assertEquals(i % 3 == 0, drawn.isFound(drawn.size() - 1));
        }
        assertEquals(5001, samples);
    }

    @Test
    void shouldSampleOneInSoManyAndAllKeysOfALoopEvenly()
    {
        sampler.sampling(10);
        final int[] counts = new int[10];
        for (int i = 0; i < 1_000_000; i++)
        {
            sampler.looked(i % 10, true);
            while (sampler.drawn().size() > 0)
            {
                counts[(int)sampler.drawn().hash(0)]++;
                sampler.drawn().remove(1);
            }
        }
        for (final int count : counts)
        {
            assertEquals(10_000, count, 500);
        }
    }

    @Test
    void shouldSampleAllHitsOfTheKeysThatTheServerNames()
    {
        sampler.sampling(1 << 20);
        sampler.looked(-1, true);
        sampler.keys(3);
        for (int fingerprint = 0; fingerprint < 100; fingerprint++)
        {
            sampler.looked((long)fingerprint << 48, true);
            sampler.looked((long)fingerprint << 48, false);
        }
        final SampleRing keyed = sampler.keyed();
        assertEquals(13, keyed.size());
        for (int i = 0; i < 13; i++)
        {
            assertEquals(8L * i << 48, keyed.hash(i));
            assertTrue(keyed.isFound(i));
        }
        assertEquals(1, sampler.drawn().size());
        sampler.keys(17);
        sampler.looked(0, true);
        assertEquals(13, keyed.size());
    }
}
