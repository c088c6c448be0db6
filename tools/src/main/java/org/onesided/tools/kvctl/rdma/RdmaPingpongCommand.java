package org.onesided.tools.kvctl.rdma;

import java.time.Duration;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.rdma.talk.PingPong;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.verbs.ConnectionOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code kvctl rdma pingpong}.
 */
@Command(
    name = "pingpong",
    description = "Send a message to and fro, with ibv_rc_pingpong or another kvctl as the peer.",
    footer = {
        "",
        "Options and output are those of ibv_rc_pingpong (rdma-core); both sides need the same -s, -n and -m. On " +
            "RoCE the C program needs -g INDEX; kvctl chooses the GID and prints it. With -o json or table, standard " +
            "output has only the figures.",
        "",
        "The other RDMA options of kvctl --help are given before rdma.",
        "",
        "Examples:",
        "  kvctl rdma pingpong",
        "  kvctl rdma pingpong -d rxe0 -g 1 -s 65536 -n 10000 192.0.2.7",
    })
final class RdmaPingpongCommand extends RdmaTalkCommand
{
    @Option(
        names = {"-p", "--port"},
        paramLabel = "PORT",
        defaultValue = "18515",
        description = "TCP port to listen on or connect to; default 18515.")
    private int port;

    @Option(
        names = {"-s", "--size"},
        paramLabel = "BYTES",
        defaultValue = "4096",
        description = "Size of the message; default 4096.")
    private int size;

    @Option(
        names = {"-n", "--iters"},
        paramLabel = "N",
        defaultValue = "1000",
        description = "How many times; default 1000.")
    private int iterations;

    @Option(
        names = {"-m", "--mtu"},
        paramLabel = "BYTES",
        defaultValue = "1024",
        description = "Path MTU: 256, 512, 1024, 2048 or 4096; default 1024.")
    private int mtu;

    @Option(
        names = {"-r", "--rx-depth"},
        paramLabel = "N",
        defaultValue = "500",
        description = "Receives posted at a time; default 500.")
    private int receiveDepth;

    @Option(
        names = {"-l", "--sl", "--service-level"},
        paramLabel = "N",
        description = "Service level, 0 to 15; else KVCTL_SERVICE_LEVEL, else 0.")
    private Integer serviceLevel;

    @Option(
        names = {"-e", "--events"},
        description = "Sleep on completion events instead of polling.")
    private boolean isByEvents;

    @Mixin
    private OutputOption output;

    RdmaPingpongCommand()
    {
        super(Duration.ofSeconds(60), null, PingPong.DEFAULT_PATH);
    }

    @Override
    ExitCode talk()
    {
        final OutputForm form = output.or(OutputForm.PLAIN);
        final PingPong.Result result = play(form);
        if (form == OutputForm.PLAIN)
        {
            result.lines().forEach(lines());
        }
        else
        {
            write(new Figures()
                .add("size", (long)result.size())
                .add("iterations", (long)result.iterations())
                .add("bytes", result.bytes())
                .add("seconds", result.elapsedNs() / 1e9)
                .add("megabits_per_second", result.megabitsPerSecond())
                .add("us_per_iteration", result.microsecondsPerIteration())
                .text(form));
        }
        return ExitCode.DONE;
    }

    private PingPong.Result play(final OutputForm form)
    {
        final ConnectionOptions path = with(RdmaSetting.SERVICE_LEVEL, serviceLevel, path());
        final boolean isTerminal = surroundings().errIsTerminal();
        try (ProgressBar progress = progress("playing", iterations))
        {
            return new PingPong(
                device(),
                path,
                meeting(port),
                new PingPong.Traffic(size, iterations, mtu, receiveDepth, isByEvents),
                lines(form),
                isTerminal ? progress::step : null).run();
        }
    }
}
