package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.rdma.Doctor;
import org.onesided.tools.kvctl.rdma.Report;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/**
 * {@code kvctl rdma doctor}.
 */
@Command(
    name = "doctor",
    description = "Check all that RDMA needs on this machine, and say what to do about what is missing.",
    footer = {
        "",
        "Each line starts with pass, warn, fail or skip. The last check connects two queue pairs of the device and " +
            "READs from one to the other. Exit code 0 if RDMA works, 1 if not.",
        "",
        "Examples:",
        "  kvctl rdma doctor",
        "  kvctl rdma doctor --device ibv:mlx5_0 --rdma-port 1 --gid-index 3",
    })
final class RdmaDoctorCommand implements Callable<Integer>
{
    @ParentCommand
    private RdmaCommand rdma;

    @Mixin
    private RdmaSelection selection;

    @Mixin
    private HelpOption help;

    @ArgGroup(validate = false, heading = RdmaOptions.HEADING)
    private RdmaOptions path = new RdmaOptions();

    @Override
    public Integer call() throws IOException
    {
        final Kvctl kvctl = rdma.kvctl();
        kvctl.logFrom("error");
        final Report report = new Doctor(
            RdmaSelection.ROOT, selection.of(kvctl, path), new ServerOptions().memory(),
            System.getProperty("user.name")).examine();
        final OutputStream output = new StandardOutput(kvctl.surroundings().out());
        output.write(report.text().getBytes(UTF_8));
        return (report.isSound() ? ExitCode.DONE : ExitCode.FAILED).code();
    }
}
