package org.onesided.tools.settings;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.onesided.verbs.ConnectionOptions;

/**
 * The settings of a connection between queue pairs, each with its range and its effect on {@link ConnectionOptions}.
 */
public enum RdmaSetting
{
    /** Port of the device. */
    PORT("rdma-port", 1, 255, "The RDMA device's port, from 1", "the first that is active", ConnectionOptions::port),
    /** Index of the GID. */
    GID_INDEX("gid-index", 0, 255, "Index of the GID to connect with", "the best, which 'kvctl rdma devices' marks",
        ConnectionOptions::gidIndex),
    /** Service level. */
    SERVICE_LEVEL("service-level", 0, 15, "Service level, 0 to 15", "" + Defaults.OPTIONS.serviceLevel(),
        (options, value) -> options.quality(value, options.trafficClass())),
    /** Traffic class of RoCE packets. */
    TRAFFIC_CLASS("traffic-class", 0, 255, "Traffic class of RoCE packets, 0 to 255",
        "" + Defaults.OPTIONS.trafficClass(), (options, value) -> options.quality(options.serviceLevel(), value)),
    /** Code of the acknowledgement timeout. */
    TIMEOUT("rdma-timeout", 0, 31,
        "Acknowledgement timeout: 4.096 us times 2 to the power of 1 to 31, 0 for no limit",
        Defaults.OPTIONS.timeout() + " (67 ms)", (options, value) -> options.timeout(value, options.retryCount())),
    /** Retries after acknowledgement timeouts. */
    RETRIES("rdma-retries", 0, 7,
        "Retries after acknowledgement timeouts, 0 to 7 (Soft-RoCE takes 7 as no limit)",
        "" + Defaults.OPTIONS.retryCount(), (options, value) -> options.timeout(options.timeout(), value)),
    /** Retries to a peer without a posted receive. */
    RNR_RETRIES("rnr-retries", 0, 7,
        "Retries to a peer that has no receive posted, 0 to 7; 7 is no limit, which a server refuses",
        "" + Defaults.OPTIONS.rnrRetry(), (options, value) -> options.rnr(value, options.minRnrTimer())),
    /** Code of the wait that a peer makes before such a retry. */
    RNR_TIMER("min-rnr-timer", 0, 31,
        "How long a peer waits before it retries to this side, which had no receive posted: a code, 0 to 31",
        Defaults.OPTIONS.minRnrTimer() + " (0.64 ms)", (options, value) -> options.rnr(options.rnrRetry(), value));

    private final Setting<Integer> setting;
    private final BiFunction<ConnectionOptions, Integer, ConnectionOptions> effect;

    RdmaSetting(
        final String name,
        final int least,
        final int most,
        final String meaning,
        final String byDefault,
        final BiFunction<ConnectionOptions, Integer, ConnectionOptions> effect)
    {
        this.setting = Setting.shared(name, "N", new WholeNumber(least, most), meaning, byDefault);
        this.effect = effect;
    }

    /**
     * Accesses the setting.
     *
     * @return its declaration.
     */
    public Setting<Integer> setting()
    {
        return setting;
    }

    /**
     * Lists the settings.
     *
     * @return all declarations.
     */
    public static List<Setting<Integer>> settings()
    {
        return Stream.of(values()).map(RdmaSetting::setting).toList();
    }

    /**
     * Applies all values that a source has.
     *
     * @param defaults values that it does not have.
     * @param source   of the others.
     * @return the options to connect with.
     * @throws BrokenSettingException if a value is out of its range.
     */
    public static ConnectionOptions connection(final ConnectionOptions defaults, final SettingSource source)
    {
        ConnectionOptions options = defaults;
        for (final RdmaSetting each : values())
        {
            options = each.with(options, source.value(each.setting));
        }
        return options;
    }

    /**
     * Applies one value.
     *
     * @param options to connect with otherwise.
     * @param value   in its range, or null.
     * @return the options with the value, if there is one.
     */
    public ConnectionOptions with(final ConnectionOptions options, final Integer value)
    {
        return value == null ? options : effect.apply(options, value);
    }

    /** An enum's constants cannot use static fields of the enum itself. */
    private static final class Defaults
    {
        static final ConnectionOptions OPTIONS = ConnectionOptions.defaults(0);
    }
}
