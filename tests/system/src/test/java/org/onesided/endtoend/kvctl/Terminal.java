package org.onesided.endtoend.kvctl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A pseudo-terminal, which {@code script} of util-linux makes.
 */
final class Terminal
{
    private Terminal()
    {
    }

    static boolean isThere()
    {
        return Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "script")));
    }

    /** Starts kvctl on a terminal of its own; all that it shows there is the program's output. */
    static Program start(final Map<String, String> environment, final String redirection, final String... arguments)
        throws IOException
    {
        final List<String> words = new ArrayList<>(HeedsSignals.PREFIX);
        words.addAll(KvctlCall.program());
        words.addAll(List.of(arguments));
        final String command = words.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'").collect(Collectors.joining(" "));
        // kvctl takes the shell's place, so that both the signals of the terminal and the exit code are its own.
        final String line = "stty cols 100 rows 40; " + (redirection.isEmpty() ? "exec " : "") + command + redirection;
        final ProcessBuilder builder = new ProcessBuilder(List.of(
            "script", "--quiet", "--flush", "--return", "--command", line, "/dev/null"));
        builder.environment().keySet().removeIf(name -> name.startsWith("KVCTL_") || name.equals("NO_COLOR"));
        builder.environment().putAll(Map.of("LC_ALL", "C.UTF-8", "TERM", "xterm", "SHELL", "/bin/sh"));
        builder.environment().putAll(environment);
        return new Program(builder.redirectErrorStream(true).start());
    }
}
