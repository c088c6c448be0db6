package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onesided.testing.ProjectFolder;

/**
 * Programs that were compiled with the public API as {@code config/public-api.txt} has it go on working. To change the
 * API on purpose, write the file anew; the review then sees which lines went and which came.
 */
class CompatibilityTest
{
    private static final Path FILE = ProjectFolder.ROOT.resolve("config/public-api.txt");
    private static final String REMEDY =
        "if it is meant: ./check -pl tests/library -am -Dtest=CompatibilityTest " +
            "-Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true, and tell users in CHANGELOG.md";

    @Test
    void shouldHaveThePublicApiThatProgramsWereCompiledWith() throws IOException
    {
        final List<String> now = Signatures.ofAll();
        if (Boolean.getBoolean("docs.write"))
        {
            Files.write(FILE, now);
        }
        final List<String> before = Files.readAllLines(FILE);
        final String problem = problem(before, now);
        if (!problem.isEmpty())
        {
            fail(problem + REMEDY);
        }
        assertEquals(before, now, "the order of lines; " + REMEDY);
        assertTrue(now.size() > 500, "lines: " + now.size());
    }

    @Test
    void shouldNoticeChangesThatBreakPrograms()
    {
        final List<String> before = Signatures.of(Before.class);
        final String gone = problem(before, renamed(After.class));
        assertTrue(gone.contains("gone, and programs that use it break: " + name("abstract int count(int)")), gone);
        assertTrue(gone.contains("gone, and programs that use it break: " + name("abstract java.util.List" +
            "<java.lang.String> all()")), gone);
        assertTrue(gone.contains("gone, and programs that use it break: " + name("static int LIMIT = 3")), gone);
        assertTrue(gone.contains("new: " + name("abstract long count(int)")), gone);
        assertTrue(gone.contains("new: " + name("static int LIMIT = 4")), gone);
        assertEquals(-1, gone.indexOf("same"), gone);
        assertEquals("", problem(before, before));
    }

    private static String problem(final List<String> before, final List<String> now)
    {
        final StringBuilder problem = new StringBuilder();
        final Set<String> gone = new LinkedHashSet<>(before);
        now.forEach(gone::remove);
        gone.forEach(line -> problem.append("gone, and programs that use it break: ").append(line).append('\n'));
        final Set<String> added = new LinkedHashSet<>(now);
        before.forEach(added::remove);
        added.forEach(line -> problem.append("new: ").append(line).append('\n'));
        return problem.toString();
    }

    private static List<String> renamed(final Class<?> type)
    {
        return Signatures.of(type).stream().map(line -> line.replace("$After", "$Before")).toList();
    }

    private static String name(final String member)
    {
        return Before.class.getName() + ": " + member;
    }

    /** A type as it was. */
    interface Before
    {
        /** Programs are compiled with its value. */
        int LIMIT = 3;

        int count(int key);

        List<String> all();

        void same();
    }

    /** The same, changed. */
    interface After
    {
        /** Another value. */
        int LIMIT = 4;

        long count(int key);

        List<Integer> all();

        void same();
    }
}
