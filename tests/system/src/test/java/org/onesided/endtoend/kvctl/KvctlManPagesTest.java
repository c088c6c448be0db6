package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.testing.ProjectFolder;

/**
 * The manual pages that the build of kvctl has made.
 */
class KvctlManPagesTest
{
    private static final Path TARGET = ProjectFolder.ROOT.resolve("tools/target");
    private static final Path PAGES = TARGET.resolve("man").resolve("man1");

    /** Pages that are older than the jar are not of this build. */
    @BeforeEach
    void assumePages() throws IOException
    {
        final Path page = PAGES.resolve("kvctl.1");
        final Path jar = TARGET.resolve("kvctl.jar");
        assumeTrue(
            Files.exists(page) && Files.exists(jar) &&
                Files.getLastModifiedTime(page).compareTo(Files.getLastModifiedTime(jar)) >= 0,
            "built without manual pages: -Dman.skip");
    }

    @Test
    void shouldHaveAPageForEachCommand() throws Exception
    {
        final String help = KvctlCall.of("--help").runHere().assertDone().out();
        final List<String> commands = help.lines()
            .dropWhile(line -> !line.equals("Commands:")).skip(1)
            .takeWhile(line -> !line.isEmpty())
            .filter(line -> line.matches("  [a-z].*") && !line.startsWith("  help "))
            .map(line -> line.strip().split(" ")[0]).toList();
        assertTrue(commands.size() > 10, help);
        for (final String command : commands)
        {
            final String page = Files.readString(PAGES.resolve("kvctl-" + command + ".1"));
            for (final String section : List.of("NAME", "SYNOPSIS", "OPTIONS", "EXAMPLES"))
            {
                assertTrue(page.contains(".SH \"" + section + "\""), command + ": " + section);
            }
        }
        assertTrue(Files.readString(PAGES.resolve("kvctl.1")).contains("Exit codes"));
    }

    @Test
    void shouldBePagesThatManReads() throws Exception
    {
        assumeTrue(isThere("mandoc") || isThere("groff"), "neither mandoc nor groff is installed");
        try (Stream<Path> pages = Files.list(PAGES))
        {
            for (final Path page : pages.sorted().toList())
            {
                final List<String> command = new ArrayList<>(isThere("mandoc") ?
                    List.of("mandoc", "-T", "lint", "-W", "error") :
                    List.of("groff", "-man", "-z", "-K", "utf8", "-T", "utf8"));
                command.add(page.toString());
                final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
                final String said = new String(process.getInputStream().readAllBytes(), UTF_8);
                // What is worth a warning differs from version to version.
                assertFalse(Pattern.compile("\\b(error|fatal)\\b", CASE_INSENSITIVE).matcher(said).find(), said);
                assertEquals(0, process.waitFor(), page + ": " + said);
            }
        }
    }

    private static boolean isThere(final String program)
    {
        return Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
