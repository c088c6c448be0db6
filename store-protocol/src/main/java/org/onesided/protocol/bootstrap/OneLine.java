package org.onesided.protocol.bootstrap;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts that others chose, as logs, terminals and messages may show them: on one line, and without what terminals obey.
 */
public final class OneLine
{
    /**
     * Control characters (including those in the upper half of Latin-1), invisible characters that change the order of
     * others, and Unicode's separators of lines and paragraphs.
     */
    private static final Pattern DISTURBING = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private OneLine()
    {
    }

    /**
     * @param text of somebody else, or null.
     * @return the same with a space for each character that disturbs; "null" for null.
     */
    public static String of(final String text)
    {
        return of(text, " ");
    }

    /**
     * @param text       of somebody else, or null.
     * @param substitute for each character that disturbs.
     * @return the same with the substitutes; "null" for null.
     */
    public static String of(final String text, final String substitute)
    {
        return DISTURBING.matcher(String.valueOf(text)).replaceAll(Matcher.quoteReplacement(substitute));
    }
}
