package org.onesided.client.types;

import org.jspecify.annotations.Nullable;

/**
 * Version of a key's value. Each put of a key gives it a version that it never had before. A key that is deleted and
 * put again has another version, and so has a key of a server that lost its table and was started anew: the version
 * names its table, too.
 *
 * <p>Versions are only compared for equality, and only with others of the same key: keys of different shards may have
 * equal ones. Immutable.
 */
public final class Version
{
    private static final int RADIX = Character.MAX_RADIX;
    private static final char SEPARATOR = '-';

    private final long tableId;
    private final long number;

    /**
     * @param tableId names the table, see {@link ServerInfo#tableId}.
     * @param number  of the version within its table; 0 is no key's.
     */
    public Version(final long tableId, final long number)
    {
        this.tableId = tableId;
        this.number = number;
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @param text a version as text.
     * @return the version.
     * @throws IllegalArgumentException if the text is none.
     */
    public static Version parse(final String text)
    {
        final int end = text.indexOf(SEPARATOR);
        try
        {
            final Version version = new Version(
                Long.parseUnsignedLong(text.substring(0, Math.max(0, end)), RADIX),
                Long.parseUnsignedLong(text.substring(end + 1), RADIX));
            // Signs, upper case and leading zeros are not written, so no version has two texts.
            if (version.toString().equals(text))
            {
                return version;
            }
        }
        catch (final NumberFormatException e)
        {
            // No number, or too long a one.
        }
        throw new IllegalArgumentException("not a version, take it from a lookup or a write: version=" + text);
    }

    /**
     * @return the table that it is of.
     */
    public long tableId()
    {
        return tableId;
    }

    /**
     * @return its number within the table.
     */
    public long number()
    {
        return number;
    }

    @Override
    public boolean equals(final @Nullable Object other)
    {
        return other instanceof final Version that && tableId == that.tableId && number == that.number;
    }

    @Override
    public int hashCode()
    {
        return Long.hashCode(31 * tableId + number);
    }

    /** A token of at most 27 letters, digits and one hyphen, for {@link #parse}. */
    @Override
    public String toString()
    {
        return Long.toUnsignedString(tableId, RADIX) + SEPARATOR + Long.toUnsignedString(number, RADIX);
    }
}
