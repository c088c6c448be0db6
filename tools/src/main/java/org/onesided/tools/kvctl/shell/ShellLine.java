package org.onesided.tools.kvctl.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Splits a line into words. Blanks separate words; quotes of either kind group characters; a backslash escapes the next
 * character, except within single quotes. JLine's parser, which completion uses, drops empty words and keeps quotes
 * within words.
 */
final class ShellLine
{
    private static final Set<String> LAST_WORDS = Set.of("exit", "quit");
    private static final char COMMENT = '#';
    private static final char NONE = 0;

    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean isWord;
    private char quote = NONE;

    private ShellLine()
    {
    }

    /**
     * A line that ends within quotes or after a backslash: the next line may continue it.
     */
    static final class IncompleteException extends Exception
    {
        private static final long serialVersionUID = 1L;

        IncompleteException()
        {
            super("the line ends within quotes or behind a backslash: write \\\" or \\\\ for one of its own");
        }
    }

    /**
     * @return the words; none for a blank line or a comment.
     */
    static List<String> words(final String line) throws IncompleteException
    {
        final String text = line.stripLeading();
        return text.isEmpty() || text.charAt(0) == COMMENT ? List.of() : new ShellLine().split(text);
    }

    /** Whether the line ends the shell. */
    static boolean isLast(final List<String> words)
    {
        return words.size() == 1 && LAST_WORDS.contains(words.get(0));
    }

    private List<String> split(final String line) throws IncompleteException
    {
        for (int i = 0; i < line.length(); i++)
        {
            final char next = line.charAt(i);
            if (next == '\\' && quote != '\'')
            {
                i++;
                if (i == line.length())
                {
                    throw new IncompleteException();
                }
                escape(line.charAt(i));
            }
            else
            {
                add(next);
            }
        }
        if (quote != NONE)
        {
            throw new IncompleteException();
        }
        endWord();
        return words;
    }

    private void escape(final char next)
    {
        // A continued line is parsed as if it did not end.
        if (next != '\n')
        {
            isWord = true;
            word.append(next);
        }
    }

    private void add(final char next)
    {
        if (quote != NONE ? next == quote : next == '"' || next == '\'')
        {
            quote = quote == NONE ? next : NONE;
            isWord = true;
        }
        else if (quote == NONE && Character.isWhitespace(next))
        {
            endWord();
        }
        else
        {
            isWord = true;
            word.append(next);
        }
    }

    private void endWord()
    {
        if (isWord)
        {
            words.add(word.toString());
            word.setLength(0);
            isWord = false;
        }
    }
}
