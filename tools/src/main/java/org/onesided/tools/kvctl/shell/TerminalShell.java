package org.onesided.tools.kvctl.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shell on a terminal with prompt, editing, completion and persistent history. Ctrl-C clears a line or interrupts the
 * running command; a second Ctrl-C ends the process. Ctrl-D ends the shell.
 */
public final class TerminalShell
{
    private static final Logger LOGGER = LoggerFactory.getLogger(TerminalShell.class);
    private static final int INTERRUPTED = 130;

    private TerminalShell()
    {
    }

    /**
     * Executes typed lines until the user leaves.
     *
     * @param prompt  before each line.
     * @param history file of the typed lines, created if missing; lines that begin with a blank are left out.
     * @param runner  of the lines.
     * @throws IOException if the terminal fails.
     */
    public static void run(final String prompt, final Path history, final LineRunner runner) throws IOException
    {
        // The provider without native code: it calls stty.
        try (Terminal terminal = TerminalBuilder.builder().system(true).provider("exec").build())
        {
            // Between a command's end and the next prompt, too, keys typed ahead are for that prompt, and Ctrl-C ends
            // nothing. Closing the terminal makes it as it was.
            terminal.handle(Terminal.Signal.INT, Terminal.SignalHandler.SIG_IGN);
            terminal.enterRawMode();
            final LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .parser(new ShellParser())
                .completer((reader, line, candidates) -> complete(runner, line, candidates))
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "> ")
                // A ! has no special meaning.
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
            if (tryMake(history))
            {
                builder.variable(LineReader.HISTORY_FILE, history);
            }
            run(terminal, builder.build(), prompt, runner);
        }
    }

    private static void run(
        final Terminal terminal, final LineReader reader, final String prompt, final LineRunner runner)
    {
        while (true)
        {
            final List<String> words;
            try
            {
                words = ShellLine.words(reader.readLine(prompt));
            }
            catch (final UserInterruptException e)
            {
                continue;
            }
            catch (final EndOfFileException e)
            {
                return;
            }
            catch (final ShellLine.IncompleteException e)
            {
                runner.refuse(e.getMessage());
                continue;
            }
            if (ShellLine.isLast(words))
            {
                return;
            }
            if (!words.isEmpty())
            {
                run(terminal, runner, words);
            }
        }
    }

    private static void run(final Terminal terminal, final LineRunner runner, final List<String> words)
    {
        final Thread thread = Thread.currentThread();
        final int[] count = {0};
        final Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, signal ->
        {
            if (count[0]++ > 0)
            {
                Runtime.getRuntime().exit(INTERRUPTED);
            }
            thread.interrupt();
        });
        try
        {
            runner.run(words);
        }
        finally
        {
            terminal.handle(Terminal.Signal.INT, before);
            // The command ended by itself meanwhile.
            Thread.interrupted();
        }
    }

    private static void complete(final LineRunner runner, final ParsedLine line, final List<Candidate> candidates)
    {
        runner.complete(line.words(), line.wordIndex(), line.wordCursor())
            .forEach(word -> candidates.add(new Candidate(word)));
    }

    /** Values may be secret, so only the user may read the file; without a file, the history is kept in memory. */
    private static boolean tryMake(final Path history)
    {
        try
        {
            Files.createDirectories(history.getParent(), PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------")));
            if (!Files.exists(history))
            {
                Files.createFile(history, PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
            }
            return Files.isWritable(history);
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            LOGGER.info("the history is not kept: {}", e.toString());
            return false;
        }
    }
}
