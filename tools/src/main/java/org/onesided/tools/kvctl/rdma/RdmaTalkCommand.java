package org.onesided.tools.kvctl.rdma;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.rdma.talk.Meeting;
import org.onesided.tools.kvctl.rdma.talk.TalkException;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.tools.settings.TimeSpan;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command that talks to one peer over an RDMA device: it connects to the host given, or waits for a peer.
 */
abstract class RdmaTalkCommand extends KvctlCommand
{
    @Parameters(
        paramLabel = "HOST",
        arity = "0..1",
        description = "The peer to connect to; without one, wait for a peer to connect.")
    private String host;

    @Option(
        names = {"-d", "--ib-dev"},
        paramLabel = "NAME",
        description = "RDMA device, such as mlx5_0; default the first with an active port.")
    private String ibDevice;

    @Option(
        names = "--device",
        paramLabel = "NAME",
        description = "The same as kvctl's other commands name it, such as ibv:mlx5_0, auto or shm; else " +
            "KVCTL_DEVICE, if that is an RDMA device.")
    private String device;

    @Option(
        names = {"-i", "--ib-port", "--rdma-port"},
        paramLabel = "N",
        description = "Port of the device, from 1; else KVCTL_RDMA_PORT, else the first active one.")
    private Integer ibPort;

    @Option(
        names = {"-g", "--gid-idx", "--gid-index"},
        paramLabel = "N",
        description = "Index into the port's GID table; else KVCTL_GID_INDEX, else the best, which is printed.")
    private Integer gidIndex;

    @Option(
        names = "--listen",
        paramLabel = "ADDRESS",
        description = "Address to wait for the peer on; default all addresses, but 127.0.0.1 in the shell.")
    private String listen;

    @Option(
        names = "--timeout",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "How long to wait for each thing that the peer must do, such as 500ms or 2m; " +
            "default 1m, but 5m in the shell.")
    private Duration timeout;

    private final Duration defaultTimeout;
    private final String defaultListen;
    private final ConnectionOptions defaultPath;

    /**
     * @param defaultTimeout how long to wait without --timeout.
     * @param defaultListen  address to listen on without --listen; null for all addresses.
     * @param defaultPath    connection options that the user did not set.
     */
    RdmaTalkCommand(
        final Duration defaultTimeout, final String defaultListen, final ConnectionOptions defaultPath)
    {
        this.defaultTimeout = defaultTimeout;
        this.defaultListen = defaultListen;
        this.defaultPath = defaultPath;
    }

    @Override
    protected final ExitCode run()
    {
        invocation().logFrom("error");
        final StopHook stop = StopHook.interrupting();
        try
        {
            return runToEnd();
        }
        finally
        {
            stop.close();
        }
    }

    private ExitCode runToEnd()
    {
        try
        {
            return talk();
        }
        catch (final TalkException e)
        {
            if (e.kind() == TalkException.Kind.INTERRUPTED)
            {
                // The process is ending, so it would not get to report the failure in the usual way.
                return Failures.report(new CommandException(ExitCode.FAILED, e.getMessage(), e),
                    name(), surroundings(), isVerbose());
            }
            throw new CommandException(exitCode(e.kind()), e.getMessage(), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
        catch (final VerbsException e)
        {
            throw refused(e);
        }
    }

    abstract ExitCode talk();

    private static ExitCode exitCode(final TalkException.Kind kind)
    {
        return switch (kind)
        {
            case USAGE -> ExitCode.USAGE;
            case NOT_CONNECTED -> ExitCode.CANNOT_CONNECT;
            case DEADLINE -> ExitCode.DEADLINE;
            default -> ExitCode.FAILED;
        };
    }

    private static CommandException refused(final VerbsException e)
    {
        // A port or GID index that does not exist.
        final boolean isBadChoice = e.errno() == Errno.EINVAL && e.verb().startsWith("query_");
        return isBadChoice ? new CommandException(ExitCode.USAGE, e.getMessage(), e) : RdmaSelection.refused(e);
    }

    final String device()
    {
        if (ibDevice != null && device != null)
        {
            throw new CommandException(ExitCode.USAGE, "give either -d or --device: -d=" + ibDevice + " --device=" +
                device);
        }
        if (ibDevice != null)
        {
            return RdmaSelection.KIND + ":" + ibDevice;
        }
        return RdmaSelection.name(device, invocation());
    }

    /** Port, GID and other options of the connection, given here or for all commands. */
    final ConnectionOptions path()
    {
        final ConnectionOptions outer = RdmaSetting.connection(defaultPath, invocation().settings());
        return with(RdmaSetting.GID_INDEX, gidIndex, with(RdmaSetting.PORT, ibPort, outer));
    }

    /** Applies the value of one of the command's own options. */
    static ConnectionOptions with(
        final RdmaSetting setting, final Integer value, final ConnectionOptions options)
    {
        return value == null ? options : setting.with(options, setting.setting().read(
            value.toString(), "invalid value for option '" + setting.setting().option() + "'"));
    }

    final Meeting meeting(final int port)
    {
        if (host != null && listen != null)
        {
            throw new CommandException(ExitCode.USAGE, "a side that connects does not listen, give either HOST or " +
                "--listen: host=" + host + " listen=" + listen);
        }
        return new Meeting(
            host, listen == null ? defaultListen : listen, port, timeout == null ? defaultTimeout : timeout);
    }

    /** Writes lines to standard output. */
    final Consumer<String> lines()
    {
        return (line) -> write(Text.oneLine(line) + "\n");
    }

    /** Writes lines to standard error if standard output is for figures. */
    final Consumer<String> lines(final OutputForm form)
    {
        return form == OutputForm.PLAIN ? lines() : (line) -> surroundings().err().println(Text.oneLine(line));
    }

    final void write(final String text)
    {
        try
        {
            print(text);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
