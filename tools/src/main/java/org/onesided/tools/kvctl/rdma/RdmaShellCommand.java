package org.onesided.tools.kvctl.rdma;

import java.time.Duration;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.rdma.talk.Shell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code kvctl rdma shell}.
 */
@Command(
    name = "shell",
    description = "Try READ, WRITE, SEND and RECEIVE by hand, with another shell as the peer, and see each completion.",
    footer = {
        "",
        "Each side has a buffer of 1 MiB, which the other may READ and WRITE. Type help when connected. The peer " +
            "is not authenticated; without --listen only this machine can connect.",
        "",
        "At the end of piped input, the shell waits for outstanding requests, at most for --timeout. The exit code " +
            "is 1 if a line was refused, or a request failed or did not complete.",
        "",
        "The other RDMA options of kvctl --help are given before rdma.",
        "",
        "Examples:",
        "  kvctl rdma shell --listen 0.0.0.0",
        "  kvctl rdma shell 192.0.2.7",
    })
final class RdmaShellCommand extends RdmaTalkCommand
{
    @Option(
        names = {"-p", "--port"},
        paramLabel = "PORT",
        defaultValue = "" + Shell.DEFAULT_PORT,
        description = "TCP port to listen on or connect to; default " + Shell.DEFAULT_PORT + ".")
    private int port;

    RdmaShellCommand()
    {
        super(Duration.ofMinutes(5), "127.0.0.1", Shell.DEFAULT_PATH);
    }

    @Override
    ExitCode talk()
    {
        final boolean isTerminal = surroundings().outIsTerminal() && surroundings().inIsTerminal();
        final boolean isClean = new Shell(
            device(), path(), meeting(port), surroundings().in(), lines(),
            (text) ->
            {
                if (isTerminal)
                {
                    write(text);
                }
            },
            !isTerminal).run();
        // A user at a terminal has seen the errors; a script learns of them at the end.
        return isClean || isTerminal ? ExitCode.DONE : ExitCode.FAILED;
    }
}
