package org.onesided.tools.kvctl.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.verbs.ConnectionOptions;
import picocli.CommandLine.Option;

/**
 * How queue pairs are connected, where the device leaves a choice. Given before the command or after it; after it
 * counts more, and both count more than the environment.
 */
public final class RdmaOptions
{
    /** Of these options in a command's help. */
    public static final String HEADING = "%nRDMA options:%n";

    /** Name of the option for the port. */
    public static final String PORT = "--rdma-port";
    /** Name of the option for the index of the GID. */
    public static final String GID_INDEX = "--gid-index";
    /** Name of the option for the service level. */
    public static final String SERVICE_LEVEL = "--service-level";
    private static final String TRAFFIC_CLASS = "--traffic-class";
    private static final String TIMEOUT = "--rdma-timeout";
    private static final String RETRIES = "--rdma-retries";
    /** Name of the option for retries to a peer that is not ready. */
    public static final String RNR_RETRIES = "--rnr-retries";
    private static final String RNR_TIMER = "--min-rnr-timer";

    @Option(
        names = PORT,
        paramLabel = "N",
        description = "The RDMA device's port, from 1; else KVCTL_RDMA_PORT, else the first that is active.")
    private Integer port;

    @Option(
        names = GID_INDEX,
        paramLabel = "N",
        description = "Index of the GID to connect with; else KVCTL_GID_INDEX, else the best, which " +
            "'kvctl rdma devices' marks.")
    private Integer gidIndex;

    @Option(
        names = SERVICE_LEVEL,
        paramLabel = "N",
        description = "Service level, 0 to 15; else KVCTL_SERVICE_LEVEL, else 0.")
    private Integer serviceLevel;

    @Option(
        names = TRAFFIC_CLASS,
        paramLabel = "N",
        description = "Traffic class of RoCE's packets, 0 to 255; else KVCTL_TRAFFIC_CLASS, else 0.")
    private Integer trafficClass;

    @Option(
        names = TIMEOUT,
        paramLabel = "N",
        description = "How long to wait for an acknowledgement: 4.096 us times 2 to the power of 1 to 31, 0 for " +
            "ever; else KVCTL_RDMA_TIMEOUT, else 14 (67 ms).")
    private Integer timeout;

    @Option(
        names = RETRIES,
        paramLabel = "N",
        description = "How often to send again what was not acknowledged, 0 to 7 (Soft-RoCE takes 7 for ever); else " +
            "KVCTL_RDMA_RETRIES, else 6.")
    private Integer retries;

    @Option(
        names = RNR_RETRIES,
        paramLabel = "N",
        description = "How often to send again to a peer that was not ready to receive, 0 to 7, 7 for ever (not for " +
            "a server); else KVCTL_RNR_RETRIES, else 6.")
    private Integer rnrRetries;

    @Option(
        names = RNR_TIMER,
        paramLabel = "N",
        description = "How long a peer that found this side not ready waits, a code of 0 to 31; " +
            "else KVCTL_MIN_RNR_TIMER, else 12 (0.64 ms).")
    private Integer rnrTimer;

    /**
     * All of these options.
     *
     * @return the names, with their dashes.
     */
    public static Set<String> names()
    {
        return Set.of(PORT, GID_INDEX, SERVICE_LEVEL, TRAFFIC_CLASS, TIMEOUT, RETRIES, RNR_RETRIES, RNR_TIMER);
    }

    /**
     * Puts together what was given here, before the command and in variables.
     *
     * @param outer        given before the command.
     * @param surroundings whose variables come last.
     * @param defaults     for what is given nowhere.
     * @return the options to connect with.
     * @throws CommandException if a number is out of its range.
     */
    public ConnectionOptions over(
        final RdmaOptions outer, final Surroundings surroundings, final ConnectionOptions defaults)
    {
        return new ConnectionOptions(
            value(PORT, port, outer.port, surroundings, 1, 255, defaults.port()),
            value(GID_INDEX, gidIndex, outer.gidIndex, surroundings, 0, 255, defaults.gidIndex()),
            value(SERVICE_LEVEL, serviceLevel, outer.serviceLevel, surroundings, 0, 15, defaults.serviceLevel()),
            value(TRAFFIC_CLASS, trafficClass, outer.trafficClass, surroundings, 0, 255, defaults.trafficClass()),
            defaults.access(),
            value(TIMEOUT, timeout, outer.timeout, surroundings, 0, 31, defaults.timeout()),
            value(RETRIES, retries, outer.retries, surroundings, 0, 7, defaults.retryCount()),
            value(RNR_RETRIES, rnrRetries, outer.rnrRetries, surroundings, 0, 7, defaults.rnrRetry()),
            value(RNR_TIMER, rnrTimer, outer.rnrTimer, surroundings, 0, 31, defaults.minRnrTimer()));
    }

    /**
     * Those given, as arguments for another command.
     *
     * @return names and values.
     */
    public List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>();
        add(arguments, PORT, port);
        add(arguments, GID_INDEX, gidIndex);
        add(arguments, SERVICE_LEVEL, serviceLevel);
        add(arguments, TRAFFIC_CLASS, trafficClass);
        add(arguments, TIMEOUT, timeout);
        add(arguments, RETRIES, retries);
        add(arguments, RNR_RETRIES, rnrRetries);
        add(arguments, RNR_TIMER, rnrTimer);
        return arguments;
    }

    private static void add(final List<String> arguments, final String option, final Integer value)
    {
        if (value != null)
        {
            arguments.addAll(List.of(option, value.toString()));
        }
    }

    private static int value(
        final String option,
        final Integer own,
        final Integer outer,
        final Surroundings surroundings,
        final int least,
        final int most,
        final int otherwise)
    {
        final String variable = Variables.of(option);
        final Integer given = own != null ? own : outer;
        final String text = given != null ? given.toString() : surroundings.variable(variable);
        if (text == null)
        {
            return otherwise;
        }
        try
        {
            final int value = Integer.parseInt(text);
            if (value >= least && value <= most)
            {
                return value;
            }
        }
        catch (final NumberFormatException e)
        {
            // Said below, as for a number that is out of range.
        }
        throw outOfRange(given != null ? option : variable, text, least, most);
    }

    /**
     * Checks the value of an option that another command has.
     *
     * @param option whose value it is.
     * @param value  given, or null.
     * @param least  that may be given.
     * @param most   that may be given.
     * @return the value, or null if none was given.
     * @throws CommandException if it is out of its range.
     */
    public static Integer checked(final String option, final Integer value, final int least, final int most)
    {
        if (value != null && (value < least || value > most))
        {
            throw outOfRange(option, value.toString(), least, most);
        }
        return value;
    }

    private static CommandException outOfRange(
        final String name, final String text, final int least, final int most)
    {
        return new CommandException(
            ExitCode.USAGE, name + " must be " + least + " to " + most + ": " + name + "=" + text);
    }
}
