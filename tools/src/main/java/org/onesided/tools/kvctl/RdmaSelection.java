package org.onesided.tools.kvctl;

import java.nio.file.Path;
import org.onesided.tools.kvctl.rdma.Selection;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Devices;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.Option;

/**
 * Which RDMA device to look at.
 */
final class RdmaSelection
{
    /** Where the system's own files are. */
    static final Path ROOT = Path.of("/");

    private static final String KIND = "ibv";

    @Option(
        names = "--device",
        paramLabel = "NAME",
        description = "The device, such as ibv:mlx5_0; else KVCTL_DEVICE, else the first with an active port.")
    private String device;

    /**
     * @param kvctl whose device stands in for one not given here, if it is an RDMA device.
     * @param path  the command's own options of the connection.
     * @return what is selected.
     */
    Selection of(final Kvctl kvctl, final RdmaOptions path)
    {
        final String outer = kvctl.connection().device(kvctl.surroundings());
        final String name = device != null ? device : outer != null && outer.startsWith(KIND) ? outer : KIND;
        final int colon = name.indexOf(':');
        try
        {
            return new Selection(
                Devices.provider(colon < 0 ? name : name.substring(0, colon)),
                colon < 0 ? "" : name.substring(colon + 1),
                path.over(kvctl.connection().rdma(), kvctl.surroundings(),
                    ConnectionOptions.defaults(Access.REMOTE_READ)));
        }
        catch (final VerbsException e)
        {
            throw new CommandException(
                Failures.isUnknownDevice(e) ? ExitCode.USAGE : ExitCode.FAILED, e.getMessage(), e);
        }
    }
}
