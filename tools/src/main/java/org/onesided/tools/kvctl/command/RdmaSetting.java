package org.onesided.tools.kvctl.command;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.verbs.ConnectionOptions;

/**
 * What can be set of a connection of queue pairs: the option, its range, and what it sets.
 */
public enum RdmaSetting
{
    /** The device's port. */
    PORT(RdmaOptions.PORT, 1, 255, given -> given.port, ConnectionOptions::port),
    /** Index of the GID. */
    GID_INDEX(RdmaOptions.GID_INDEX, 0, 255, given -> given.gidIndex, ConnectionOptions::gidIndex),
    /** Service level. */
    SERVICE_LEVEL(RdmaOptions.SERVICE_LEVEL, 0, 15, given -> given.serviceLevel,
        (options, value) -> options.quality(value, options.trafficClass())),
    /** Traffic class of RoCE's packets. */
    TRAFFIC_CLASS(RdmaOptions.TRAFFIC_CLASS, 0, 255, given -> given.trafficClass,
        (options, value) -> options.quality(options.serviceLevel(), value)),
    /** Code of the wait for an acknowledgement. */
    TIMEOUT(RdmaOptions.TIMEOUT, 0, 31, given -> given.timeout,
        (options, value) -> options.timeout(value, options.retryCount())),
    /** Retries without an acknowledgement. */
    RETRIES(RdmaOptions.RETRIES, 0, 7, given -> given.retries,
        (options, value) -> options.timeout(options.timeout(), value)),
    /** Retries to a peer that is not ready. */
    RNR_RETRIES(RdmaOptions.RNR_RETRIES, 0, 7, given -> given.rnrRetries,
        (options, value) -> options.rnr(value, options.minRnrTimer())),
    /** Code of the wait that a peer that is not ready asks for. */
    RNR_TIMER(RdmaOptions.RNR_TIMER, 0, 31, given -> given.rnrTimer,
        (options, value) -> options.rnr(options.rnrRetry(), value));

    private final String option;
    private final int least;
    private final int most;
    private final Function<RdmaOptions, Integer> given;
    private final BiFunction<ConnectionOptions, Integer, ConnectionOptions> effect;

    RdmaSetting(
        final String option,
        final int least,
        final int most,
        final Function<RdmaOptions, Integer> given,
        final BiFunction<ConnectionOptions, Integer, ConnectionOptions> effect)
    {
        this.option = option;
        this.least = least;
        this.most = most;
        this.given = given;
        this.effect = effect;
    }

    /**
     * Longest name of the option.
     *
     * @return the name, with its dashes.
     */
    public String option()
    {
        return option;
    }

    /** What was given, null if nothing was. */
    Integer given(final RdmaOptions options)
    {
        return given.apply(options);
    }

    /**
     * Sets a value that was given as another command's own option.
     *
     * @param options to connect with otherwise.
     * @param value   given, or null.
     * @return the options with the value, if there is one.
     * @throws CommandException if it is out of its range.
     */
    public ConnectionOptions apply(final ConnectionOptions options, final Integer value)
    {
        return value == null ? options : apply(options, option, value.toString());
    }

    /** Sets what was given behind the command, before it, or by a variable. */
    ConnectionOptions apply(
        final ConnectionOptions options,
        final RdmaOptions own,
        final RdmaOptions outer,
        final Surroundings surroundings)
    {
        final Integer value = given(own) != null ? given(own) : given(outer);
        if (value != null)
        {
            return apply(options, value);
        }
        final String variable = Variables.of(option);
        final String text = surroundings.variable(variable);
        return text == null ? options : apply(options, variable, text);
    }

    /**
     * Sets a value.
     *
     * @param options to connect with otherwise.
     * @param name    of what gives the value, for messages.
     * @param text    of the value.
     * @return the options with the value.
     * @throws CommandException if it is no number, or out of its range.
     */
    public ConnectionOptions apply(final ConnectionOptions options, final String name, final String text)
    {
        try
        {
            final int value = Integer.parseInt(text);
            if (value >= least && value <= most)
            {
                return effect.apply(options, value);
            }
        }
        catch (final NumberFormatException e)
        {
            // Said below, as for a number that is out of range.
        }
        throw new CommandException(
            ExitCode.USAGE, name + " must be " + least + " to " + most + ": " + name + "=" + text);
    }
}
