package org.onesided.tools.kvctl.shell;

import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;

/**
 * Tells JLine whether a line is complete and which word contains the cursor.
 */
final class ShellParser extends DefaultParser
{
    @Override
    public ParsedLine parse(final String line, final int cursor, final ParseContext context)
    {
        if (context != ParseContext.ACCEPT_LINE)
        {
            return super.parse(line, cursor, context);
        }
        try
        {
            final List<String> words = ShellLine.words(line);
            final int last = Math.max(0, words.size() - 1);
            final int length = words.isEmpty() ? 0 : words.get(last).length();
            return new ArgumentList(line, words, last, length, cursor, null, length, length);
        }
        catch (final ShellLine.IncompleteException e)
        {
            throw new EOFError(-1, -1, e.getMessage());
        }
    }
}
