package org.onesided.client.jcache;

import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.onesided.client.types.Expiry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks an expiry policy, and says it in the terms of the store. If a policy fails, an entry lives for ever when it is
 * created, and keeps its time otherwise. Thread-safe if the policy is.
 */
final class ExpiryRules
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ExpiryRules.class);

    private final ExpiryPolicy policy;

    ExpiryRules(final ExpiryPolicy policy)
    {
        this.policy = policy;
    }

    /** Time of a new entry; null if it is over at once. */
    Expiry creation()
    {
        final Duration duration = ask(policy::getExpiryForCreation, Duration.ETERNAL);
        return duration == null ? Expiry.NEVER : of(duration);
    }

    /** Time of an entry with a new value; null if it is over at once. */
    Expiry update()
    {
        final Duration duration = ask(policy::getExpiryForUpdate, null);
        return duration == null ? Expiry.KEEP : of(duration);
    }

    /** Time of an entry that was looked up; null if it is over at once. */
    Expiry access()
    {
        final Duration duration = ask(policy::getExpiryForAccess, null);
        return duration == null ? Expiry.KEEP : of(duration);
    }

    private static Duration ask(final Supplier<Duration> question, final Duration otherwise)
    {
        try
        {
            return question.get();
        }
        catch (final RuntimeException e)
        {
            // The interface says so: a default then.
            LOGGER.warn("expiry policy failed, going on with {}", otherwise == null ? "the former time" : otherwise, e);
            return otherwise;
        }
    }

    private static Expiry of(final Duration duration)
    {
        if (duration.isEternal())
        {
            return Expiry.NEVER;
        }
        final long milliseconds = duration.getTimeUnit().toMillis(duration.getDurationAmount());
        return milliseconds <= 0 ? null :
            Expiry.after(java.time.Duration.ofMillis(Math.min(milliseconds, Expiry.MAX_TTL.toMillis())));
    }
}
