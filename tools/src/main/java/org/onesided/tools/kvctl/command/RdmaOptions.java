package org.onesided.tools.kvctl.command;

import java.util.List;
import java.util.stream.Stream;
import org.onesided.tools.kvctl.console.CommandException;
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

    static final String PORT = "--rdma-port";
    static final String GID_INDEX = "--gid-index";
    static final String SERVICE_LEVEL = "--service-level";
    static final String TRAFFIC_CLASS = "--traffic-class";
    static final String TIMEOUT = "--rdma-timeout";
    static final String RETRIES = "--rdma-retries";
    /** Name of the option for retries to a peer that is not ready. */
    public static final String RNR_RETRIES = "--rnr-retries";
    static final String RNR_TIMER = "--min-rnr-timer";

    @Option(
        names = PORT,
        paramLabel = "N",
        description = "The RDMA device's port, from 1; else KVCTL_RDMA_PORT, else the first that is active.")
    Integer port;

    @Option(
        names = GID_INDEX,
        paramLabel = "N",
        description = "Index of the GID to connect with; else KVCTL_GID_INDEX, else the best, which " +
            "'kvctl rdma devices' marks.")
    Integer gidIndex;

    @Option(
        names = SERVICE_LEVEL,
        paramLabel = "N",
        description = "Service level, 0 to 15; else KVCTL_SERVICE_LEVEL, else 0.")
    Integer serviceLevel;

    @Option(
        names = TRAFFIC_CLASS,
        paramLabel = "N",
        description = "Traffic class of RoCE's packets, 0 to 255; else KVCTL_TRAFFIC_CLASS, else 0.")
    Integer trafficClass;

    @Option(
        names = TIMEOUT,
        paramLabel = "N",
        description = "How long to wait for an acknowledgement: 4.096 us times 2 to the power of 1 to 31, 0 for " +
            "ever; else KVCTL_RDMA_TIMEOUT, else 14 (67 ms).")
    Integer timeout;

    @Option(
        names = RETRIES,
        paramLabel = "N",
        description = "How often to send again what was not acknowledged, 0 to 7 (Soft-RoCE takes 7 for ever); else " +
            "KVCTL_RDMA_RETRIES, else 6.")
    Integer retries;

    @Option(
        names = RNR_RETRIES,
        paramLabel = "N",
        description = "How often to send again to a peer that was not ready to receive, 0 to 7, 7 for ever (not for " +
            "a server); else KVCTL_RNR_RETRIES, else 6.")
    Integer rnrRetries;

    @Option(
        names = RNR_TIMER,
        paramLabel = "N",
        description = "How long a peer that found this side not ready waits, a code of 0 to 31; " +
            "else KVCTL_MIN_RNR_TIMER, else 12 (0.64 ms).")
    Integer rnrTimer;

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
        ConnectionOptions options = defaults;
        for (final RdmaSetting setting : RdmaSetting.values())
        {
            options = setting.apply(options, this, outer, surroundings);
        }
        return options;
    }

    /**
     * Those given, as arguments for another command.
     *
     * @return names and values.
     */
    public List<String> arguments()
    {
        return Stream.of(RdmaSetting.values())
            .filter(setting -> setting.given(this) != null)
            .flatMap(setting -> Stream.of(setting.option(), setting.given(this).toString()))
            .toList();
    }
}
