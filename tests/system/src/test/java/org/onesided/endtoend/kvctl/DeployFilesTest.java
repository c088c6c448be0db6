package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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
    void shouldStartAServerFromWhatTheImageCopies() throws Exception
    {
        final List<MatchResult> copies = Pattern.compile("COPY --from=build /build/(\\S+) /opt/onesided/(\\S+)")
            .matcher(Files.readString(FILES.resolve("Dockerfile"))).results().toList();
        assertEquals(4, copies.size());
        for (final MatchResult copy : copies)
        {
            final Path from = ProjectFolder.ROOT.resolve(copy.group(1));
            final Path to = directory.resolve(copy.group(2));
            assertTrue(Files.exists(from), from + " is made by ./mvnw package, so run this with ./check or verify");
            Files.createDirectories(to.getParent());
            final Process process = new ProcessBuilder("cp", "-r", from.toString(), to.toString()).inheritIO().start();
            assertEquals(0, process.waitFor());
        }

        try (KvctlServer server = KvctlServer.start(KvctlCall.ofProgram(
            List.of(directory.resolve("kvctl").toString()),
            "server", "--config", FILES.resolve("server.properties").toString(),
            "--listen", "127.0.0.1:0", "--metrics", "0", "--memory", "32m", "--device", "shm")
            .with("KVCTL_BUILD", "no").with("JAVA_HOME", System.getProperty("java.home"))))
        {
            KvctlCall.of("put", "k", "v").to(server).run().assertDone();
        }
    }

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
