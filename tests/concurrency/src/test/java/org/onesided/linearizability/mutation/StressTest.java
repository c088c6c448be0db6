package org.onesided.linearizability.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.testing.TestSize;

/**
 * What {@code tests/run jcstress} does: in a full check for as long as it takes {@link StressMutations} to find planted
 * bugs, in any other a moment of one of its tests.
 */
@Timeout(600)
class StressTest
{
    @Test
    void shouldShowNothingThatIsForbidden() throws IOException, InterruptedException
    {
        final String flags = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> flag.startsWith("--")).collect(Collectors.joining(" "));

        final List<String> tests = List.copyOf(StressMutations.tests()).subList(
            0, TestSize.of(StressMutations.tests().size(), 1));
        final String output = StressMutations.output(
            Files.createDirectories(Path.of("target/jcstress/test").toAbsolutePath()),
            System.getProperty("java.class.path"), flags, TestSize.of(StressMutations.ITERATION_MS, 100),
            List.of("-t", String.join("|", tests)));

        assertEquals("", StressMutations.forbidden(output), output);
        for (final String name : tests)
        {
            assertTrue(Pattern.compile("\\[OK] \\S+\\." + name + "\\s").matcher(output).find(), output);
        }
    }
}
