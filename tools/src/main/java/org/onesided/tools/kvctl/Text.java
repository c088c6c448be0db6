package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.onesided.client.ClientStatistics;
import org.onesided.tools.kvctl.pairs.Escapes;
import org.onesided.tools.text.Amounts;

/**
 * Keys, sizes and messages as people read them.
 */
final class Text
{
    private static final int MAX_KEY_LENGTH = 64;

    private Text()
    {
    }

    /** A key, shortened and without what would disturb a terminal. */
    static String key(final byte[] key)
    {
        return Escapes.text(key, MAX_KEY_LENGTH);
    }

    /** A message without line ends and other control characters. */
    static String oneLine(final String message)
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

    static String count(final long count)
    {
        return Amounts.count(count);
    }

    /** "1 pair", "1,234 pairs". */
    static String count(final long count, final String noun)
    {
        return Amounts.count(count, noun);
    }

    /** How many READs lookups took between two moments. */
    static String reads(final ClientStatistics before, final ClientStatistics after)
    {
        return count(after.reads() - before.reads(), "READ") + " (" + (after.bucketReads() - before.bucketReads()) +
            " of buckets, " + (after.recordReads() - before.recordReads()) + " of records)";
    }

    static String yesOrNo(final boolean is)
    {
        return is ? "yes" : "no";
    }

    /** A size with three significant digits, exact where it is a whole number of units. */
    static String size(final long bytes)
    {
        return Amounts.size(bytes);
    }
}
