package org.onesided.tools.kvctl.shell;

import java.util.List;
import java.util.Set;
import org.jline.reader.EOFError;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;

/**
 * A line as words: blanks separate them, quotes of either kind hold them together, and a backslash takes away what the
 * next character means.
 */
final class ShellLine
{
    private static final Set<String> LAST_WORDS = Set.of("exit", "quit");
    private static final String COMMENT = "#";

    private ShellLine()
    {
    }

    /** The parser behind it, which also knows when a line goes on in the next. */
    static DefaultParser parser()
    {
        final DefaultParser parser = new DefaultParser();
        parser.setEofOnUnclosedQuote(true);
        parser.setEofOnEscapedNewLine(true);
        return parser;
    }

    /**
     * @return the words; none for an empty line and a comment.
     * @throws IllegalArgumentException if a quote is not closed, or nothing stands behind a backslash.
     */
    static List<String> words(final String line)
    {
        if (line.isBlank() || line.strip().startsWith(COMMENT))
        {
            return List.of();
        }
        try
        {
            // Blanks at the end would be an empty word of their own.
            return parser().parse(line.stripLeading(), 0, Parser.ParseContext.ACCEPT_LINE).words();
        }
        catch (final EOFError e)
        {
            throw new IllegalArgumentException(
                "the line ends within quotes or behind a backslash: write \\\" or \\\\ for one of its own", e);
        }
    }

    /** Whether the line ends the shell. */
    static boolean isLast(final List<String> words)
    {
        return words.size() == 1 && LAST_WORDS.contains(words.get(0));
    }
}
