package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.onesided.client.types.ClientStatistics;
import org.onesided.tools.kvctl.pairs.ByteEncoding;
import org.onesided.tools.kvctl.pairs.Escapes;
import org.onesided.tools.text.Amounts;

/**
 * Keys, sizes and messages as people read them.
 */
public final class Text
{
    private static final int MAX_KEY_LENGTH = 64;

    private Text()
    {
    }

    /**
     * Shortens a key and escapes what would disturb a terminal.
     *
     * @param key of any bytes.
     * @return text for a message.
     */
    public static String key(final byte[] key)
    {
        return Escapes.text(key, MAX_KEY_LENGTH);
    }

    /**
     * Shortens a key in an encoding.
     *
     * @param key      of any bytes.
     * @param encoding to write it in.
     * @return text for a message.
     */
    public static String key(final byte[] key, final ByteEncoding encoding)
    {
        return encoding.shown(key, MAX_KEY_LENGTH);
    }

    /**
     * Removes line ends and other control characters from a message.
     *
     * @param message of any length.
     * @return the message in one line.
     */
    public static String oneLine(final String message)
    {
        final StringBuilder line = new StringBuilder(message.length());
        message.codePoints().forEach(c ->
        {
            if (!Character.isISOControl(c))
            {
                line.appendCodePoint(c);
            }
            else
            {
                line.append(Escapes.text(Character.toString(c).getBytes(UTF_8), Character.BYTES));
            }
        });
        return line.toString();
    }

    /**
     * Describes the number of READs between two moments.
     *
     * @param before counters at the first moment.
     * @param after counters at the second.
     * @return the number of READs, in words.
     */
    public static String reads(final ClientStatistics before, final ClientStatistics after)
    {
        return Amounts.count(after.reads() - before.reads(), "READ") + " (" +
            (after.bucketReads() - before.bucketReads()) + " of buckets, " +
            (after.recordReads() - before.recordReads()) + " of records)";
    }

    /**
     * Writes a boolean in words.
     *
     * @param is to write.
     * @return yes or no.
     */
    public static String yesOrNo(final boolean is)
    {
        return is ? "yes" : "no";
    }
}
