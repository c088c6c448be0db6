package org.onesided.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onesided.testing.ProjectFolder;

/**
 * Which tests are tagged as depending on time, and so run once more by {@code .ci/run} where they fail: each says why,
 * and none of those is among them whose failure may be the only sign of lost or torn data.
 */
final class TimingTagTest
{
    private static final String TAG = "@Tag(\"timing\")";
    private static final String PHASE = "<tests.timing.phase>test</tests.timing.phase>";
    /** Packages and classes, by their paths. */
    private static final Pattern FINAL = Pattern.compile(
        ".*/(linearizability|chaos|fuzz|server/table|protocol/table)/.*|.*Stress\\.java|" +
            ".*/(ConcurrentReaders|TornRead|Chaos\\w*|Scan|Resend|Restart|ClientKills|Soak|Linearizability|Stress|" +
            "Fuzz\\w*|LostConnection|HostilePeer|HoardingPeers|ReleaseConfirmation)Test\\.java");

    @Test
    void shouldSayWhyATestDependsOnTime() throws IOException
    {
        final List<String> unexplained = new ArrayList<>();
        int tags = 0;
        for (final Path test : tests())
        {
            final List<String> lines = Files.readAllLines(test);
            for (int i = 0; i < lines.size(); i++)
            {
                if (lines.get(i).strip().equals(TAG))
                {
                    tags++;
                    if (!lines.get(i - 1).strip().startsWith("// "))
                    {
                        unexplained.add(test + ":" + (i + 1));
                    }
                }
            }
        }
        assertFalse(tags == 0);
        assertEquals(List.of(), unexplained, "each has a comment above that says what a slow machine does to it");
    }

    @Test
    void shouldRunNoTestAgainThatGuardsData() throws IOException
    {
        final List<String> wrong = new ArrayList<>();
        int count = 0;
        for (final Path test : tests())
        {
            if (FINAL.matcher(test.toString()).matches())
            {
                count++;
                if (Files.readString(test).contains(TAG))
                {
                    wrong.add(test.toString());
                }
            }
        }
        assertFalse(count < 10, "the list above names nothing any more");
        assertEquals(List.of(), wrong);
    }

    /** A test that is tagged so runs in that execution only. */
    @Test
    void shouldRunInTheModulesThatSayThatTheyHaveSuchTests() throws IOException
    {
        final List<String> wrong = new ArrayList<>();
        for (final Path folder : ProjectFolder.testSources())
        {
            boolean isTagged = false;
            for (final Path test : tests(folder))
            {
                isTagged |= Files.readString(test).contains(TAG);
            }
            final Path pom = folder.resolve("../../../pom.xml").normalize();
            if (Files.readString(pom).contains(PHASE) != isTagged)
            {
                wrong.add(pom + (isTagged ? " lacks " : " needs no ") + PHASE);
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<Path> tests() throws IOException
    {
        final List<Path> tests = new ArrayList<>();
        for (final Path folder : ProjectFolder.testSources())
        {
            tests.addAll(tests(folder));
        }
        return tests;
    }

    private static List<Path> tests(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.walk(folder))
        {
            return files.filter((file) -> file.toString().endsWith(".java") && !file.endsWith("TimingTagTest.java"))
                .toList();
        }
    }
}
