package org.onesided.protocol.bootstrap;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes texts of others safe to show in logs, terminals and messages: one line, without terminals' control characters.
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

    /**
     * @param reason that a peer gives, of any length.
     * @return its first {@link Bootstrap#MAX_REASON_LENGTH} characters, as {@link #of(String)}.
     */
    public static String ofPeer(final String reason)
    {
        return of(reason.length() <= Bootstrap.MAX_REASON_LENGTH ? reason :
            reason.substring(0, Bootstrap.MAX_REASON_LENGTH) + "...");
    }
}
