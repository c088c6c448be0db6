package org.onesided.tools.kvctl.rdma;

import java.nio.file.Path;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.command.Invocation;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.rdma.machine.Selection;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.Option;

/**
 * The RDMA device that a command examines.
 */
final class RdmaSelection
{
    /** Root of the system's own files. */
    static final Path ROOT = Path.of("/");

    /** Kind of the RDMA devices. */
    static final String KIND = "ibv";

    @Option(
        names = "--device",
        paramLabel = "NAME",
        description = "The device, such as ibv:mlx5_0, or auto; else KVCTL_DEVICE, if that is an RDMA device, else " +
            "auto: the first with an active port.")
    private String device;

    /**
     * Finds the device to examine. The device that kvctl uses for stores may be a software device, which C programs
     * cannot reach, so it counts only if it is an RDMA device or was given to the command itself.
     *
     * @param given to the command; null if nothing was.
     * @param invocation whose device is used if none was given.
     * @return name of the device; the kind alone stands for the best one.
     */
    static String name(final String given, final Invocation invocation)
    {
        final String outer = invocation.settings().value(ClientSettings.DEVICE);
        final String name = given != null ? given : outer != null && outer.startsWith(KIND) ? outer : KIND;
        return DeviceChoice.AUTO.equals(name) ? KIND : name;
    }

    /**
     * @param invocation whose device is used if none was given here, if it is an RDMA device.
     * @param path  the command's own options of the connection.
     * @return the selection.
     */
    Selection of(final Invocation invocation, final SettingOptions path)
    {
        final String name = name(device, invocation);
        final int colon = name.indexOf(':');
        try
        {
            return new Selection(
                Devices.provider(colon < 0 ? name : name.substring(0, colon)),
                colon < 0 ? "" : name.substring(colon + 1),
                RdmaSetting.connection(
                    ConnectionOptions.defaults(Access.REMOTE_READ),
                    new GivenSettings(path, invocation.connection(), invocation.surroundings())));
        }
        catch (final VerbsException e)
        {
            throw Failures.isWrongDeviceName(e) ?
                new CommandException(ExitCode.USAGE, e.getMessage() + ", or " + DeviceChoice.AUTO, e) : refused(e);
        }
    }

    /** The error for a device that is missing or unusable. */
    static CommandException refused(final VerbsException e)
    {
        return new CommandException(Failures.isWrongDeviceName(e) ? ExitCode.USAGE :
            e.errno() == Errno.ENODEV ? ExitCode.NOT_FOUND : ExitCode.FAILED, e.getMessage(), e);
    }
}
