package org.onesided.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.ProjectFolder;

/**
 * What {@code .ci/run} lists at its end: each test that was run again, with its first failure, from Maven and from the
 * virtual machine.
 */
final class RerunsTest
{
    private static final String FAILING = "onesided.reruns.failing";
    private static final String PREFIX = "[engine:junit-jupiter]/[class:" + Failing.class.getName() + "]/[method:";

    @TempDir
    private Path folder;

    /** Tests of another process, which fail as the property says. */
    static final class Failing
    {
        // Waits for nothing, and fails by a property.
        @Tag("timing")
        @Test
        void shouldPassThen()
        {
            assertEquals(1, Integer.getInteger(FAILING) > 1 ? 2 : 1, "<\"much\" & more>\nthan a line");
        }

        // Waits for nothing, and fails by a property.
        @Tag("timing")
        @Test
        void shouldFailAgain()
        {
            assertTrue(Integer.getInteger(FAILING) == 0);
        }

        @Test
        void shouldFailForGood()
        {
            fail("is final");
        }

        // Waits for nothing.
        @Tag("timing")
        @Test
        void shouldPass()
        {
            assertEquals(1, 1);
        }
    }

    /** Runs the tests above by JUnit's console, as the virtual machine does; the report. */
    private Path report(final int failing, final String... options) throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "execute", "--disable-banner", "--details=none", "--select-class", Failing.class.getName(),
            "--include-classname", ".*", "--reports-dir", folder.resolve("reports-" + failing).toString()));
        arguments.addAll(List.of(options));
        final Process process = new ProcessBuilder(JavaCommand.of(
            List.of("-D" + FAILING + "=" + failing), "org.junit.platform.console.ConsoleLauncher", arguments))
            .redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(1, process.waitFor(), output);
        return folder.resolve("reports-" + failing).resolve("TEST-junit-jupiter.xml");
    }

    private static List<String> bash(final String script, final String... arguments) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of("bash", "-euo", "pipefail", "-c", script, "bash"));
        command.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(command).directory(ProjectFolder.ROOT.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
        assertEquals(0, process.waitFor());
        return lines;
    }

    @Test
    void shouldNameTheFirstFailuresOfTheVirtualMachine() throws Exception
    {
        final Path first = report(2);
        final Path second = report(1, "--include-tag", "timing");
        final String passed = PREFIX + "shouldPassThen()]: <\"much\" & more>";
        final String failed = PREFIX + "shouldFailAgain()]: expected: <true> but was: <false>";
        final String again = "run again after a failure, and failed again: " + failed;
        final List<String> lines =
            bash(". tests/vm/reports.sh; print_reruns \"$1\" \"$2\"", first.toString(), second.toString());
        assertEquals(
            List.of(again, "run again after a failure, and passed: " + passed), lines.stream().sorted().toList());

        final List<String> all = new ArrayList<>(List.of(
            "vm: on Soft-RoCE, JDK 25: 4 tests ran, 3 failed, 0 skipped, in 3 s", "vm: " + lines.get(0)));
        all.add("vm: FAILED");
        assertEquals(List.of("  JDK 25: vm: " + lines.get(0)), listed(all));
    }

    private List<String> listed(final List<String> log) throws Exception
    {
        return bash(". .ci/reruns.sh; list_reruns \"$1\" 25", Files.write(folder.resolve("log"), log).toString());
    }

    @Test
    void shouldNameTheFirstFailuresOfMaven() throws Exception
    {
        assertEquals(
            List.of(
                "  JDK 25: a.b.OneTest.shouldDo: OneTest.shouldDo:12 too late (passed when run again)",
                "  JDK 25: a.b.OtherTest.shouldDo: OtherTest.shouldDo:7 no (failed when run again)"),
            listed(List.of(
                "[WARNING] Flakes: ",
                "[WARNING] a.b.OneTest.shouldDo",
                "[ERROR]   Run 1: OneTest.shouldDo:12 too late",
                "[INFO]   Run 2: PASS",
                "[ERROR] Failures: ",
                "[ERROR] a.b.OtherTest.shouldDo",
                "[ERROR]   Run 1: OtherTest.shouldDo:7 no",
                "[ERROR]   Run 2: OtherTest.shouldDo:7 no")));
    }

    @Test
    void shouldNotForgiveWhatIsNoMatterOfTime() throws Exception
    {
        final String late = "  JDK 25: a.b.OneTest.shouldDo: OneTest.shouldDo:12 too late (passed when run again)";
        final String server = "  JDK 25: a.b.OneTest.shouldDo: OneTest.shouldDo:12 server failed: 2026 ERROR no " +
            "(passed when run again)";
        final String lost = "  JDK 25: vm: run again after a failure, and passed: [class:a.b.OneTest]: wake-ups were " +
            "lost, see LostWakeUps: count=2 tests=OneTest";
        assertEquals(List.of(server, lost),
            bash(". .ci/reruns.sh; list_unforgiven <<<\"$1\"", String.join("\n", server, late, lost)));
        assertEquals(List.of(), bash(". .ci/reruns.sh; list_unforgiven <<<\"\""));
    }
}
