package org.onesided.tools.kvctl.rdma;

import java.time.Duration;
import java.util.Map;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.rdma.talk.ClassicExample;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code kvctl rdma example}.
 */
@Command(
    name = "example",
    description = "Execute the SEND, READ and WRITE of the classic RC example, with the C program or another " +
        "kvctl as the peer.",
    footer = {
        "",
        "The example is that of the \"RDMA Aware Networks Programming\" manual: the server SENDs a message, the " +
            "client READs the server's buffer and WRITEs a text into it. For a peer that sends no GID, the GID " +
            "derives from its TCP address. With -o json or table, standard output has only the texts transferred.",
        "",
        "The other RDMA options of kvctl --help are given before rdma.",
        "",
        "Examples:",
        "  kvctl rdma example",
        "  kvctl rdma example -d rxe0 -g 1 192.0.2.7",
    })
final class RdmaExampleCommand extends RdmaTalkCommand
{
    @Option(
        names = {"-p", "--port"},
        paramLabel = "PORT",
        defaultValue = "" + ClassicExample.DEFAULT_PORT,
        description = "TCP port to listen on or connect to; default " + ClassicExample.DEFAULT_PORT + ".")
    private int port;

    @Mixin
    private OutputOption output;

    RdmaExampleCommand()
    {
        super(Duration.ofSeconds(60), null, ClassicExample.DEFAULT_PATH);
    }

    @Override
    ExitCode talk()
    {
        final OutputForm form = output.or(OutputForm.PLAIN);
        final Map<String, String> carried =
            new ClassicExample(device(), path(), meeting(port), lines(form)).run();
        if (form != OutputForm.PLAIN)
        {
            final Figures figures = new Figures();
            carried.forEach(figures::add);
            write(figures.text(form));
        }
        return ExitCode.DONE;
    }
}
