package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.onesided.client.types.ClientStatistics;
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
     * A key, shortened and without what would disturb a terminal.
     *
     * @param key of any bytes.
     * @return what a message can show.
     */
    public static String key(final byte[] key)
    {
        return Escapes.text(key, MAX_KEY_LENGTH);
    }

    /**
     * A message without line ends and other control characters.
     *
     * @param message of any length.
     * @return the same without line ends.
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
     * How many READs lookups took between two moments.
     *
     * @param before what had been counted.
     * @param after what is now.
     * @return how many READs lie between.
     */
    public static String reads(final ClientStatistics before, final ClientStatistics after)
    {
        return Amounts.count(after.reads() - before.reads(), "READ") + " (" +
            (after.bucketReads() - before.bucketReads()) + " of buckets, " +
            (after.recordReads() - before.recordReads()) + " of records)";
    }

    /**
     * Says yes or no.
     *
     * @param is what to say.
     * @return yes or no.
     */
    public static String yesOrNo(final boolean is)
    {
        return is ? "yes" : "no";
    }
}
