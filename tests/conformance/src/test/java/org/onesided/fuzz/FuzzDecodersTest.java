package org.onesided.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.onesided.testing.TestSize;

/**
 * Each decoder for a few seconds: what {@code tests/run fuzz-decoders} does for longer. The property
 * {@value #SEED_PROPERTY} gives another seed, {@value #SECONDS_PROPERTY} seconds for all of them together.
 */
@Timeout(600)
class FuzzDecodersTest
{
    static final String SEED_PROPERTY = "onesided.fuzz.seed";
    static final String SECONDS_PROPERTY = "onesided.fuzz.seconds";

    private static final long SEED = Long.getLong(SEED_PROPERTY, 42);
    private static final long SECONDS = Long.getLong(SECONDS_PROPERTY, TestSize.of(60, 3));

    @TestFactory
    Stream<DynamicTest> shouldTakeOrRefuseWhateverComes() throws IOException
    {
        final List<FuzzTarget> targets = FuzzDecoders.targets();
        // A decoder that nobody finds is not fuzzed, and fails nothing.
        assertEquals(Corpus.targets(), targets.stream().map(FuzzTarget::name).toList());
        return targets.stream().map((target) -> DynamicTest.dynamicTest(target.name(), () ->
        {
            try (target)
            {
                final String done =
                    FuzzDecoders.run(target, (double)SECONDS / targets.size(), SEED, 0, Long.MAX_VALUE);
                System.out.println("fuzz: " + done);
                assertTrue(done.matches(".* inputs=[1-9].*"), done);
            }
        }));
    }
}
