package org.onesided.benchmark.peers;

import java.util.List;
import java.util.Locale;

/**
 * How much a run measures.
 *
 * @param records      of 16 + 100 bytes.
 * @param rounds       in which each system has its turn at each operation.
 * @param millis       of each turn.
 * @param warmUpMillis of each system at each operation, before the rounds.
 * @param only         words, of which an operation's title must contain one, whatever their case; none for all.
 */
record Settings(long records, int rounds, int millis, int warmUpMillis, List<String> only)
{
    /** Length of the records' values in bytes, where nothing else is said. */
    static final int VALUE_LENGTH = 100;

    /** Whether an operation is to be measured. */
    boolean wants(final String title)
    {
        return only.isEmpty() ||
            only.stream().anyMatch((word) -> matches(title, word));
    }

    /** Whether a title contains a word, whatever its case. */
    static boolean matches(final String title, final String word)
    {
        return title.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT));
    }

    /** Records with values of another length: so many that they do not fit into a processor's cache, but no more. */
    long records(final int valueLength)
    {
        final long most = (256L << 20) / valueLength;
        return Math.max(1, Math.min(most, records * VALUE_LENGTH * 4 / valueLength));
    }
}
