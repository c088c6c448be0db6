package org.onesided.documentation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.testing.ProjectFolder;

class ScriptsTest
{
    @Test
    void shouldKnowWhatTheRunnerRuns() throws Exception
    {
        for (final String call : List.of("tests/run", "tests/run --help", "tests/run NAME --help",
            "tests/run fuzz --frames 5", "tests/run benchmark --quick", "tests/run waiting shared --help"))
        {
            assertNull(complaint(call));
        }
        assertEquals("no such test or benchmark: tests/run nonsense", complaint("tests/run nonsense"));
        assertEquals("tests/run fuzz --help does not know --bogus", complaint("tests/run fuzz --bogus"));
        assertEquals("tests/run benchmark --help does not know --bogus", complaint("tests/run benchmark --bogus"));
    }

    @Test
    void shouldListEachTestAndBenchmarkOfTheRunner() throws Exception
    {
        final String list = Scripts.printed("tests/run");
        final List<Path> files;
        try (Stream<Path> all = Files.list(ProjectFolder.ROOT.resolve("tests/runs")))
        {
            files = all.toList();
        }
        for (final Path file : files)
        {
            final String name = file.getFileName().toString().replaceAll("\\.sh$", "");
            assertTrue(Pattern.compile("(?m)^  " + name + " +[A-Z].*\\.$").matcher(list).find(), name + "\n" + list);
            final String help = Scripts.printed("tests/run " + name);
            assertTrue(help.startsWith("usage: tests/run " + name), help);
        }
    }

    @Test
    void shouldSayInOneLineThatTheRunnerHasNoSuchName() throws Exception
    {
        assertRefused(2, "run: no such test or benchmark: nonsense; tests/run --help lists them",
            "tests/run", "nonsense");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--select-klass", "RnrConformanceTest", "--details=tree", "--select-class="})
    void shouldSayInOneLineThatTheVirtualMachineHasNoSuchSelector(final String selector) throws Exception
    {
        assertRefused(1, "vm: no such selector: use --select-class CLASS or --select-method CLASS#METHOD, or see " +
            "--help: selector=" + selector, "tests/vm/run-tests", selector, "a.b.C");
        assertRefused(1, "vm: no such selector: use --select-class CLASS or --select-method CLASS#METHOD, or see " +
            "--help: selector=" + selector, "tests/vm/run-tests", "--full", "--select-class", "a.b.C", selector);
    }

    @Test
    void shouldSayInOneLineWhatIsWrongWithTheOrderOfSelectors() throws Exception
    {
        assertRefused(1, "vm: a selector without its value: selector=--select-class",
            "tests/vm/run-tests", "--select-class");
        assertRefused(1, "vm: options come before selectors: option=--full",
            "tests/vm/run-tests", "--select-class=a.b.C", "--full");
    }

    private static void assertRefused(final int status, final String line, final String... command) throws Exception
    {
        final Process process = new ProcessBuilder(command).directory(ProjectFolder.ROOT.toFile())
            .redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertEquals(line + "\n", text);
        assertEquals(status, process.waitFor());
    }

    private static String complaint(final String line) throws Exception
    {
        return Scripts.complaint(ShellCall.of(line).get(0));
    }
}
