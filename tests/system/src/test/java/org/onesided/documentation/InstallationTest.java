package org.onesided.documentation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ProjectFolder;

/**
 * Follows docs/running.md in making a service for systemd, with another folder in place of the root.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstallationTest
{
    @TempDir
    private Path root;

    @Test
    void shouldHaveAServerThatStartsAsTheUnitSays() throws Exception
    {
        final String script = Page.of(ProjectFolder.ROOT.resolve("docs/running.md")).blocks().stream()
            .filter(block -> block.stream().anyMatch(command -> command.text().startsWith("useradd")))
            .findFirst().orElseThrow()
            .stream().map(ShownCommand::text).collect(Collectors.joining("\n"));
        final Path programs = Files.createDirectories(root.resolve("programs"));
        for (final String program : List.of("useradd", "systemctl"))
        {
            final Path standIn = Files.writeString(
                programs.resolve(program), "#!/bin/sh\necho " + program + " \"$@\" >>\"$0.called\"\n");
            Files.setPosixFilePermissions(standIn, PosixFilePermissions.fromString("rwx------"));
        }
        Files.createDirectories(root.resolve("etc/systemd/system"));

        final ProcessBuilder builder = new ProcessBuilder("bash", "-euc", below(script))
            .directory(ProjectFolder.ROOT.toFile()).redirectErrorStream(true);
        builder.environment().merge("PATH", programs.toString(), (path, own) -> own + ":" + path);
        final Process process = builder.start();
        final String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertEquals(0, process.waitFor(), printed);
        assertEquals(
            List.of("systemctl daemon-reload", "systemctl enable --now onesided"),
            Files.readAllLines(programs.resolve("systemctl.called")));
        final String unit = Files.readString(root.resolve("etc/systemd/system/onesided.service"));
        final Matcher documentation = Pattern.compile("Documentation=file:(\\S+)").matcher(unit);
        assertTrue(documentation.find() && Files.exists(Path.of(below(documentation.group(1)))), unit);
        final Matcher start = Pattern.compile("ExecStart=(\\S+) (.*)").matcher(unit);
        assertTrue(start.find(), unit);
        final List<ShellCall> calls = ShellCall.of(below(start.group(1) + " " + start.group(2)));
        final List<String> arguments = new ArrayList<>(calls.get(0).kvctlArguments());
        arguments.addAll(List.of("--listen", "127.0.0.1:0", "--metrics", "0", "--memory", "32m"));
        try (DocumentedServer server = new DocumentedServer(Path.of(calls.get(0).program()), root, arguments))
        {
            assertTrue(server.address() != null, server.printed().toString());
        }
    }

    private String below(final String text)
    {
        return text.replaceAll("(?<![\\w.])/(?=opt/|etc/)", root + "/");
    }
}
