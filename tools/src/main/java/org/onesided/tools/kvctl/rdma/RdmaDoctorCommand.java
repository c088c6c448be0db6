package org.onesided.tools.kvctl.rdma;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.kvctl.rdma.machine.Doctor;
import org.onesided.tools.kvctl.rdma.machine.Report;
import org.onesided.tools.settings.RdmaSetting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code kvctl rdma doctor}.
 */
@Command(
    name = "doctor",
    description = "Check what RDMA needs on this machine, and print the command that fixes each missing piece.",
    footer = {
        "",
        "Each line starts with pass, warn, fail or skip. The last check connects two queue pairs of the device and " +
            "READs from one to the other. The exit code is 0 if RDMA works, else 1.",
        "",
        "Examples:",
        "  kvctl rdma doctor",
        "  kvctl rdma doctor --device ibv:mlx5_0 --rdma-port 1 --gid-index 3",
    })
final class RdmaDoctorCommand extends KvctlCommand
{
    @Mixin
    private RdmaSelection selection;

    @Mixin
    private OutputOption form;

    private final SettingOptions path =
        new SettingOptions().addGroup(ClientOptions.RDMA_HEADING, RdmaSetting.settings());

    @Mixin
    private final CommandSpec pathOptions = path.spec();

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final Report report = examine();
        print(form.text(figures(report), report::text));
        return report.isSound() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private Report examine()
    {
        final AtomicReference<Double> share = new AtomicReference<>(0.0);
        return WaitNotice.during(surroundings(), "checking", share::get, () -> new Doctor(
            RdmaSelection.ROOT, selection.of(invocation(), path), new ServerOptions().memory(),
            System.getProperty("user.name")).examine((done, all) -> share.set((double)done / all)));
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
