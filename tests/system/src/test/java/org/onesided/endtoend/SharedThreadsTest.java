package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.ServerProcess;
import org.onesided.testing.TestSize;

/**
 * The threads of clients, in processes of their own.
 */
@Timeout(180)
class SharedThreadsTest
{
    private static final int CLIENTS = TestSize.of(200, 60);
    private static final int MAX_THREADS = 8;
    private static final String WARNING = "callback keeps the client's thread, ";
    private static final long WARNING_PERIOD_NS = TimeUnit.SECONDS.toNanos(10);
    /** A callback has waited for so long when it is named. */
    private static final long BLOCKED_MS = 50;
    private static final Pattern FIRST_WARNING = Pattern.compile(
        " callback=org\\.onesided\\.endtoend\\.BlockedService\\.waitForEver\\(BlockedService\\.java:\\d+\\) " +
            "operation=put for_ms=(\\d+) state=WAITING others=0 server=\\S+ thread=onesided-async ");

    @TempDir
    private Path folder;

    private Process start(final Class<?> main, final List<String> arguments) throws Exception
    {
        return new ProcessBuilder(JavaCommand.of(main.getName(), arguments))
            .redirectError(folder.resolve("errors").toFile())
            .start();
    }

    private String errors() throws Exception
    {
        return Files.readString(folder.resolve("errors"));
    }

    private static List<String> names(final String line, final String before)
    {
        assertTrue(line != null && line.startsWith(before + " ["), line);
        final String names = line.substring(before.length() + 2, line.length() - 1);
        return names.isEmpty() ? List.of() : List.of(names.split(", "));
    }

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldGiveManyClientsFewThreadsAndLeaveNone(final String device) throws Exception
    {
        try (ServerProcess server = ServerProcess.start(
            "--memory", "64m", "--shards", "1", "--device", device, "--max-sessions", "512"))
        {
            final Process process =
                start(ManyClients.class, List.of(server.address(), device, Integer.toString(CLIENTS)));
            try (BufferedReader output = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
            {
                final String open = output.readLine();
                final List<String> names = names(open == null ? errors() : open, "open");
                assertTrue(names.size() <= MAX_THREADS, names.toString());
                assertTrue(names.contains("onesided-life-line"), names.toString());
                final String busy = output.readLine();
                final List<String> busyNames = names(busy == null ? errors() : busy, "busy");
                assertTrue(busyNames.size() <= MAX_THREADS, busyNames.toString());
                assertTrue(busyNames.stream().anyMatch((name) -> name.startsWith("onesided-async ")),
                    busyNames.toString());
                final List<String> left = names(output.readLine(), "left");
                assertEquals(List.of(), left.stream()
                    .filter((name) -> name.matches(ManyClients.OWN)).toList());
                assertTrue(process.waitFor(60, TimeUnit.SECONDS));
                assertEquals(0, process.exitValue(), errors());
            }
            finally
            {
                process.destroyForcibly();
            }
        }
    }

    /** The warning comes once in ten seconds, other operations go on and end at their deadlines, and it stops. */
    @Test
    void shouldStopAServiceWhoseCallbackBlocks() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "1"))
        {
            final long startNs = System.nanoTime();
            final Process process = start(BlockedService.class, List.of(server.address()));
            try (BufferedReader output = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
            {
                assertEquals("blocked", output.readLine(), errors());
                assertEquals("goes on", output.readLine(), errors());
                server.freeze();
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
                assertEquals("late", output.readLine(), errors());
                server.thaw();
                // SIGTERM
                process.toHandle().destroy();
                assertEquals("closed", output.readLine(), errors());
                assertTrue(process.waitFor(60, TimeUnit.SECONDS));
                final String errors = errors();
                final List<String> warnings = errors.lines().filter((line) -> line.contains(WARNING)).toList();
                assertFalse(warnings.isEmpty(), errors);
                assertTrue(warnings.size() <= 1 + (System.nanoTime() - startNs) / WARNING_PERIOD_NS, errors);
                final Matcher first = FIRST_WARNING.matcher(warnings.get(0));
                assertTrue(first.find(), errors);
                assertTrue(Long.parseLong(first.group(1)) >= BLOCKED_MS, errors);
                assertTrue(errors.contains("client was closed while callbacks run, "), errors);
            }
            finally
            {
                process.destroyForcibly();
            }
        }
    }
}
