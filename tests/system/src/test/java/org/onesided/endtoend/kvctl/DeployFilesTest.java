package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ProjectFolder;

/**
 * Looks at the files that docs/running.md tells administrators to copy.
 */
class DeployFilesTest
{
    private static final Path FILES = ProjectFolder.ROOT.resolve("docs/deploy");

    @TempDir
    private Path directory;

    @Test
    void shouldHaveAUnitThatSystemdTakes() throws Exception
    {
        final String unit = Files.readString(FILES.resolve("onesided.service"));
        assertTrue(unit.contains("ExecStart=/opt/onesided/kvctl "));
        assumeTrue(
            new ProcessBuilder("sh", "-c", "command -v systemd-analyze").start().waitFor() == 0, "no systemd here");
        final Path copy = Files.writeString(
            directory.resolve("onesided.service"), unit.replace("/opt/onesided/kvctl", "/bin/sh"));

        final Process process = new ProcessBuilder("systemd-analyze", "verify", copy.toString())
            .redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        process.waitFor();
        // It also tells of other units, and of what this machine lacks; its exit code is about them, too.
        assertFalse(output.lines().anyMatch(line -> line.contains("onesided")), output);
    }
}
