package org.onesided.client.request;

import java.util.Objects;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ExpiryKind;

/**
 * What a write asks of its key's present value, and what it makes of the key's time, as messages have it.
 *
 * @param condition  that is to hold.
 * @param tableId    of the expected version, or 0.
 * @param version    that is expected, or 0.
 * @param expiryKind what {@code expiry} means.
 * @param expiry     milliseconds, or 0.
 */
public record WriteTerms(ConditionKind condition, long tableId, long version, ExpiryKind expiryKind, long expiry)
{
    /** Those of a plain put. */
    public static final WriteTerms PLAIN = new WriteTerms(ConditionKind.NONE, 0, 0, ExpiryKind.DEFAULT, 0);
    /** Those of a write that keeps the key's time. */
    public static final WriteTerms KEEP = new WriteTerms(ConditionKind.NONE, 0, 0, ExpiryKind.KEEP, 0);

    /**
     * @param options of a put.
     * @return its terms.
     */
    public static WriteTerms of(final PutOptions options)
    {
        Objects.requireNonNull(options, "options");
        if (options == PutOptions.NONE)
        {
            return PLAIN;
        }
        final Version expected = options.version();
        return new WriteTerms(
            switch (options.condition())
            {
                case ABSENT -> ConditionKind.ABSENT;
                case PRESENT -> ConditionKind.PRESENT;
                case VERSION -> ConditionKind.VERSION;
                default -> ConditionKind.NONE;
            },
            expected == null ? 0 : expected.tableId(),
            expected == null ? 0 : expected.number(),
            kind(options.expiry()),
            options.expiry().milliseconds());
    }

    /**
     * @param expiry that a write without a condition gives its key.
     * @return its terms.
     */
    public static WriteTerms of(final Expiry expiry)
    {
        Objects.requireNonNull(expiry, "expiry");
        return expiry == Expiry.KEEP ? KEEP :
            new WriteTerms(ConditionKind.NONE, 0, 0, kind(expiry), expiry.milliseconds());
    }

    /**
     * @param version that the key has to have.
     * @return the terms of a delete.
     */
    public static WriteTerms ofDelete(final Version version)
    {
        return of(PutOptions.ifVersion(version));
    }

    /**
     * @param expiry that a touch gives its key.
     * @return its terms.
     * @throws IllegalArgumentException if it says no time, and not {@link Expiry#NEVER}.
     */
    public static WriteTerms ofTouch(final Expiry expiry)
    {
        if (expiry == Expiry.KEEP || expiry == Expiry.DEFAULT)
        {
            throw new IllegalArgumentException("a touch needs a time, or Expiry.NEVER: expiry=" + expiry);
        }
        return of(expiry);
    }

    private static ExpiryKind kind(final Expiry expiry)
    {
        return switch (expiry.kind())
        {
            case KEEP -> ExpiryKind.KEEP;
            case NEVER -> ExpiryKind.NEVER;
            case AFTER -> ExpiryKind.AFTER;
            case AT -> ExpiryKind.AT;
            default -> ExpiryKind.DEFAULT;
        };
    }

    /** Whether a request without terms says the same. */
    boolean isPlain()
    {
        return condition == ConditionKind.NONE && expiryKind == ExpiryKind.DEFAULT;
    }
}
