package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * The completion script in real shells.
 */
class CompletionTest
{
    /** Sets what a shell sets when somebody presses the tab key, and calls what it would call. */
    private static final String PRESS_TAB =
        "compopt() { :; }; source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\"; " +
            "COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; \"$(complete -p kvctl | sed 's/.*-F \\([^ ]*\\).*/\\1/')\"; " +
            "printf '%s\\n' \"${COMPREPLY[@]}\"";
    /** The same, once compinit has run, as ~/.zshrc has it. */
    private static final String ZSH =
        "autoload -Uz compinit && compinit -u -D; source \"$1\" && print -- ${_comps[kvctl]}";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "kvctl mg, mget",
        "kvctl comp, completion",
        "kvctl rdma doc, doctor",
        "kvctl mget --ser, --server",
        "kvctl get -o j, json",
        "kvctl load -o y, ycsb",
        "kvctl load --workload f, f",
        "kvctl load --distribution e, exact-zipfian",
        "kvctl load --phase b, both",
        "kvctl load --store m, map",
        "kvctl completion z, zsh",
        "kvctl import --format t, tsv",
        "kvctl get --device sh, shm",
        "kvctl ge, getdel",
        "kvctl inc, incr",
        "kvctl app, append",
        "kvctl put --if, --if-absent",
        "kvctl put --if, --if-present",
        "kvctl put --if, --if-version",
        "kvctl delete --if, --if-version",
        "kvctl get --sho, --show-version",
        "kvctl incr --ini, --initial",
        "kvctl put --tt, --ttl",
        "kvctl append --tt, --ttl",
        "kvctl tou, touch",
        "kvctl per, persist",
        "kvctl tt, ttl",
        "kvctl server --default-ttl n, never",
        "kvctl export --vers, --versions",
        "kvctl load --rmw v, version",
    })
    void shouldCompleteInBash(final String line, final String expected) throws Exception
    {
        final List<String> found = bash(line);
        assertTrue(found.contains(expected), found.toString());
    }

    @Test
    void shouldCompleteNamesOfFilesInBash() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("pairs-of-mine.tsv"));
        final List<String> found = bash("kvctl import " + directory.resolve("pairs-of"));
        assertTrue(found.contains(file.toString()), found.toString());
    }

    @Test
    void shouldOfferAllCommandsInBash() throws Exception
    {
        final List<String> found = bash("kvctl ");
        assertTrue(found.containsAll(Commands.NAMES), found.toString());
    }

    @Test
    void shouldBeTakenByZsh() throws Exception
    {
        assumeTrue(isThere("zsh"), "zsh is not installed");
        final List<String> found = run(List.of("zsh", "-f", "-c", ZSH, "zsh", script("zsh").toString()));
        assertTrue(found.toString().contains("_complete_kvctl"), found.toString());
    }

    @Test
    void shouldRefuseAnotherShell()
    {
        final CapturedRun run = CapturedRun.of("completion", "fish");
        assertEquals(ExitCode.USAGE, run.exitCode());
        assertTrue(run.err().contains("must be bash or zsh: 'fish'"), run.err());
    }

    private List<String> bash(final String line) throws Exception
    {
        final List<String> words = List.of((line + (line.endsWith(" ") ? "." : "")).split(" "));
        final List<String> command = new ArrayList<>(
            List.of("bash", "--norc", "-c", PRESS_TAB, "bash", script("bash").toString()));
        words.forEach(word -> command.add(word.equals(".") ? "" : word));
        // bash pads some words with a blank, so that the line goes on behind them.
        return run(command).stream().map(String::strip).toList();
    }

    private Path script(final String shell) throws IOException
    {
        final CapturedRun run = CapturedRun.of("completion", shell);
        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertEquals("", run.err());
        return Files.write(directory.resolve("completion-" + shell), run.outBytes());
    }

    private static boolean isThere(final String program)
    {
        return Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static List<String> run(final List<String> command) throws Exception
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out.lines().toList();
    }
}
