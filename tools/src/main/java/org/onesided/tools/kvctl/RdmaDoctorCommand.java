package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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

    @Mixin
    private OutputOption form;

    @ArgGroup(validate = false, heading = RdmaOptions.HEADING)
    private RdmaOptions path = new RdmaOptions();

    @Override
    public Integer call() throws IOException
    {
        final Kvctl kvctl = rdma.kvctl();
        kvctl.logFrom("error");
        final Report report = examine(kvctl);
        final OutputStream output = new StandardOutput(kvctl.surroundings().out());
        output.write(text(report).getBytes(UTF_8));
        return (report.isSound() ? ExitCode.DONE : ExitCode.FAILED).code();
    }

    private Report examine(final Kvctl kvctl)
    {
        final AtomicReference<Double> share = new AtomicReference<>(0.0);
        return WaitNotice.during(kvctl.surroundings(), "checking", share::get, () -> new Doctor(
            RdmaSelection.ROOT, selection.of(kvctl, path), new ServerOptions().memory(),
            System.getProperty("user.name")).examine((done, all) -> share.set((double)done / all)));
    }

    private String text(final Report report)
    {
        return switch (form.or(OutputForm.TABLE))
        {
            case JSON -> figures(report).json() + "\n";
            case PLAIN -> figures(report).plain();
            case TABLE -> report.text();
        };
    }

    private static Figures figures(final Report report)
    {
        final List<Figures> findings = new ArrayList<>();
        report.forEach((level, topic, text, commands) -> findings.add(new Figures()
            .add("level", level)
            .add("topic", topic)
            .add("text", text)
            .list("commands", commands.stream().map(command -> new Figures().add("command", command)).toList())));
        return new Figures().add("works", report.isSound()).list("findings", findings);
    }
}
