package org.onesided.client.jcache;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheException;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;

/**
 * Makes the configuration of a cache that the options of its manager declare, and that exists from the beginning.
 */
final class DeclaredCache
{
    private DeclaredCache()
    {
    }

    /** Reads the options of a cache; fails where one is unknown. */
    static MutableConfiguration<Object, Object> of(final ManagerOptions options, final String name)
    {
        final MutableConfiguration<Object, Object> configuration = new MutableConfiguration<>();
        options.ofCache(name).forEach((option, value) ->
        {
            final String whole = ManagerOptions.CACHE + name + "." + option;
            switch (option)
            {
                case "expiry-after-create" ->
                    expiry(configuration, new CreatedExpiryPolicy(duration(whole, value)));
                case "expiry-after-write" ->
                    expiry(configuration, new ModifiedExpiryPolicy(duration(whole, value)));
                case "expiry-after-access" ->
                    expiry(configuration, new AccessedExpiryPolicy(duration(whole, value)));
                case "expiry-after-use" ->
                    expiry(configuration, new TouchedExpiryPolicy(duration(whole, value)));
                case "statistics" -> configuration.setStatisticsEnabled(OptionText.flag(whole, value));
                case "management" -> configuration.setManagementEnabled(OptionText.flag(whole, value));
                default -> throw new CacheException("no such option, there are expiry-after-create, " +
                    "expiry-after-write, expiry-after-access, expiry-after-use, statistics and management: option=" +
                    whole);
            }
        });
        return configuration;
    }

    private static void expiry(final MutableConfiguration<Object, Object> configuration, final ExpiryPolicy policy)
    {
        configuration.setExpiryPolicyFactory(new FactoryBuilder.SingletonFactory<>(policy));
    }

    private static javax.cache.expiry.Duration duration(final String option, final String value)
    {
        final Duration time = OptionText.time(option, value);
        return new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, time.toMillis());
    }
}
