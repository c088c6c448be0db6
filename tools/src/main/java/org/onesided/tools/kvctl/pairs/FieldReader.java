package org.onesided.tools.kvctl.pairs;

import java.io.IOException;

/**
 * Reads the fields of a line, which tabs separate, and undoes {@link Escapes}. Accepts unprintable bytes as they are,
 * except a carriage return at the end of a line, which is probably a mistake and has an escape.
 */
final class FieldReader
{
    static final int END = -1;

    private final LineInput input;

    FieldReader(final LineInput input)
    {
        this.input = input;
    }

    /**
     * @return the tab that ended the field, or {@link #END} for the end of the line.
     */
    int read(final ByteSink sink) throws BrokenLineException, IOException
    {
        int last = END;
        while (true)
        {
            last = input.copyPlain(sink) > 0 ? END : last;
            final int next = input.read();
            if (next == END && last == '\r')
            {
                throw broken("the line ends in a carriage return: remove it, or write \\x0D if it belongs there");
            }
            if (next == END || next == '\t')
            {
                return next;
            }
            sink.write(next == '\\' ? readEscape() : next);
            last = next;
        }
    }

    private int readEscape() throws BrokenLineException, IOException
    {
        final int kind = input.read();
        switch (kind)
        {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case '\\':
                return '\\';
            case 'x':
                return readHexDigit() << 4 | readHexDigit();
            case END:
                throw broken("the line ends in a lone backslash: write \\\\ for one");
            default:
                throw broken("unknown escape \\" + Escapes.text(new byte[]{(byte)kind}, 1) +
                    ": there are \\t \\n \\\\ \\xHH");
        }
    }

    private int readHexDigit() throws BrokenLineException, IOException
    {
        final int digit = Character.digit(input.read(), 16);
        if (digit < 0)
        {
            throw broken("\\x needs two hexadecimal digits");
        }
        return digit;
    }

    BrokenLineException broken(final String reason)
    {
        return new BrokenLineException(input.line(), reason);
    }
}
