package org.onesided.client.types;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a write makes of the time when its key expires. From that time on the key is absent for all requests that the
 * server answers; lookups by READ find it for up to 50 ms more. The server's clock decides: it goes on with the
 * monotonic clock of its machine, and is slewed towards the wall clock, so nobody can kill or revive keys by setting a
 * clock. Immutable.
 */
public final class Expiry
{
    /** The key gets the server's default time to live, if it has one, as by a plain put. */
    public static final Expiry DEFAULT = new Expiry(Kind.DEFAULT, 0);
    /** The key keeps its time. An absent key gets the server's default. */
    public static final Expiry KEEP = new Expiry(Kind.KEEP, 0);
    /** The key stays. */
    public static final Expiry NEVER = new Expiry(Kind.NEVER, 0);

    /** Shortest time to live. */
    public static final Duration LEAST_TTL = Duration.ofMillis(1);
    /** Longest time to live. */
    public static final Duration MAX_TTL = Duration.ofDays(36_525);

    private static final long LAST_MS = Instant.parse("2900-01-01T00:00:00Z").toEpochMilli();

    /** What a number of milliseconds means. */
    public enum Kind
    {
        /** Nothing, see {@link Expiry#DEFAULT}. */
        DEFAULT,
        /** Nothing, see {@link Expiry#KEEP}. */
        KEEP,
        /** Nothing, see {@link Expiry#NEVER}. */
        NEVER,
        /** The time from the write on. */
        AFTER,
        /** The time since 1970. */
        AT
    }

    private final Kind kind;
    private final long milliseconds;

    private Expiry(final Kind kind, final long milliseconds)
    {
        this.kind = kind;
        this.milliseconds = milliseconds;
    }

    /**
     * @param ttl from {@link #LEAST_TTL} to {@link #MAX_TTL}; rounded up to milliseconds. Begins when the server
     *            carries the write out.
     * @return an expiry after that time.
     * @throws IllegalArgumentException if the time is out of range.
     */
    public static Expiry after(final Duration ttl)
    {
        Objects.requireNonNull(ttl, "ttl");
        if (ttl.compareTo(LEAST_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0)
        {
            throw new IllegalArgumentException(
                "time to live must be from 1 ms to " + MAX_TTL.toDays() + " days: ttl=" + text(ttl));
        }
        return new Expiry(Kind.AFTER, ttl.plusNanos(999_999).toMillis());
    }

    /**
     * @param time by the server's clock, after 1970 and before 2900. If it is over, the key is absent after the write.
     * @return an expiry at that time.
     * @throws IllegalArgumentException if the time is out of range.
     */
    public static Expiry at(final Instant time)
    {
        Objects.requireNonNull(time, "time");
        try
        {
            final long sinceEpoch = time.toEpochMilli();
            if (sinceEpoch > 0 && sinceEpoch <= LAST_MS)
            {
                return new Expiry(Kind.AT, sinceEpoch);
            }
        }
        catch (final ArithmeticException e)
        {
            // Farther away than milliseconds can say.
        }
        throw new IllegalArgumentException("time of expiry must be after 1970 and before 2900: time=" + time);
    }

    /**
     * @return what {@link #milliseconds} means.
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * @return milliseconds, if the kind has some; else 0.
     */
    public long milliseconds()
    {
        return milliseconds;
    }

    @Override
    public boolean equals(final @Nullable Object other)
    {
        return other instanceof final Expiry that && kind == that.kind && milliseconds == that.milliseconds;
    }

    @Override
    public int hashCode()
    {
        return 31 * kind.hashCode() + Long.hashCode(milliseconds);
    }

    /** Days apart: a duration's own text counts them in hours. */
    private static String text(final Duration time)
    {
        final long days = time.toDays();
        final Duration rest = time.minusDays(days);
        return days == 0 ? time.toString() : days + " days" + (rest.isZero() ? "" : " " + rest);
    }

    @Override
    public String toString()
    {
        return switch (kind)
        {
            case AFTER -> "after " + text(Duration.ofMillis(milliseconds));
            case AT -> "at " + Instant.ofEpochMilli(milliseconds);
            default -> kind.name().toLowerCase(Locale.ROOT);
        };
    }
}
