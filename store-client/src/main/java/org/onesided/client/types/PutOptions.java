package org.onesided.client.types;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a put asks of its key, and what it makes of the time when the key expires. Without a condition, and under
 * {@link #ifAbsent}, the key gets the server's default time to live unless another is given; under the other conditions
 * it keeps the time that it has. Immutable.
 */
public final class PutOptions
{
    /** No condition, and the server's default time to live: as a plain put. */
    public static final PutOptions NONE = new PutOptions(Condition.NONE, null, Expiry.DEFAULT);

    private static final PutOptions ABSENT = new PutOptions(Condition.ABSENT, null, Expiry.DEFAULT);
    private static final PutOptions PRESENT = new PutOptions(Condition.PRESENT, null, Expiry.KEEP);

    /** What is asked of the key. */
    public enum Condition
    {
        /** Nothing. */
        NONE,
        /** It is absent. */
        ABSENT,
        /** It is present. */
        PRESENT,
        /** It has a version. */
        VERSION
    }

    private final Condition condition;
    private final Version version;
    private final Expiry expiry;

    private PutOptions(final Condition condition, final Version version, final Expiry expiry)
    {
        this.condition = condition;
        this.version = version;
        this.expiry = expiry;
    }

    /**
     * @return options of a put that takes effect if the key is absent.
     */
    public static PutOptions ifAbsent()
    {
        return ABSENT;
    }

    /**
     * @return options of a put that takes effect if the key is present.
     */
    public static PutOptions ifPresent()
    {
        return PRESENT;
    }

    /**
     * @param version that the key has to have.
     * @return options of a put that takes effect if the key has that version.
     */
    public static PutOptions ifVersion(final Version version)
    {
        return new PutOptions(Condition.VERSION, Objects.requireNonNull(version, "version"), Expiry.KEEP);
    }

    /**
     * @param ttl as for {@link Expiry#after}.
     * @return options of a put without a condition whose key lives for that time.
     */
    public static PutOptions expiringAfter(final Duration ttl)
    {
        return NONE.expiry(Expiry.after(ttl));
    }

    /**
     * @param value of the options.
     * @return the same condition with that expiry.
     */
    public PutOptions expiry(final Expiry value)
    {
        return new PutOptions(condition, version, Objects.requireNonNull(value, "expiry"));
    }

    /**
     * @param ttl as for {@link Expiry#after}.
     * @return the same condition with that time to live.
     */
    public PutOptions ttl(final Duration ttl)
    {
        return expiry(Expiry.after(ttl));
    }

    /**
     * @return what is asked of the key.
     */
    public Condition condition()
    {
        return condition;
    }

    /**
     * @return the version that is asked for, or null.
     */
    public @Nullable Version version()
    {
        return version;
    }

    /**
     * @return what becomes of the key's time.
     */
    public Expiry expiry()
    {
        return expiry;
    }

    @Override
    public String toString()
    {
        return "condition=" + condition + (version == null ? "" : " version=" + version) + " expiry=" + expiry;
    }
}
