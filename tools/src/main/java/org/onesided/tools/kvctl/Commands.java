package org.onesided.tools.kvctl;

import java.util.List;
import org.onesided.tools.kvctl.cluster.ClusterCommand;
import org.onesided.tools.kvctl.data.AppendCommand;
import org.onesided.tools.kvctl.data.DeleteCommand;
import org.onesided.tools.kvctl.data.ExportCommand;
import org.onesided.tools.kvctl.data.GetCommand;
import org.onesided.tools.kvctl.data.GetdelCommand;
import org.onesided.tools.kvctl.data.ImportCommand;
import org.onesided.tools.kvctl.data.IncrCommand;
import org.onesided.tools.kvctl.data.MgetCommand;
import org.onesided.tools.kvctl.data.MputCommand;
import org.onesided.tools.kvctl.data.PersistCommand;
import org.onesided.tools.kvctl.data.PutCommand;
import org.onesided.tools.kvctl.data.TouchCommand;
import org.onesided.tools.kvctl.data.TtlCommand;
import org.onesided.tools.kvctl.load.LoadCommand;
import org.onesided.tools.kvctl.quickstart.QuickstartCommand;
import org.onesided.tools.kvctl.rdma.RdmaCommand;
import org.onesided.tools.kvctl.server.ServerCommand;
import org.onesided.tools.kvctl.stats.PingCommand;
import org.onesided.tools.kvctl.stats.StatsCommand;
import org.onesided.tools.kvctl.storage.BackupCommand;
import org.onesided.tools.kvctl.storage.DataCommand;
import org.onesided.tools.kvctl.storage.RestoreCommand;
import org.onesided.tools.kvctl.storage.SnapshotCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands by name. Picocli inspects every class that it is given, which takes longer than a short command itself,
 * so it gets a single class if that suffices.
 */
final class Commands
{
    /** In the order of the help. */
    static final List<String> NAMES = List.of(
        "quickstart", "server", "put", "get", "delete", "getdel", "incr", "append", "touch", "persist", "ttl",
        "mput", "mget", "import", "export", "shell", "stats", "snapshot", "backup", "restore", "data", "cluster",
        "ping", "load", "rdma", "completion", "man", "help");

    /** Commands about all commands. */
    private static final List<String> FOR_ALL = List.of("completion", "man", "help");

    private Commands()
    {
    }

    /**
     * Adds the commands that the arguments can call: one if they begin with its name, else all.
     */
    static void add(final CommandLine kvctl, final String[] arguments)
    {
        if (isOnlyHelp(arguments))
        {
            NAMES.forEach(name -> kvctl.addSubcommand(name, described(name)));
            return;
        }
        final boolean isOne = arguments.length > 0 && NAMES.contains(arguments[0]) && !FOR_ALL.contains(arguments[0]);
        add(kvctl, isOne ? List.of(arguments[0]) : NAMES);
    }

    static void add(final CommandLine kvctl, final List<String> names)
    {
        names.forEach(name -> kvctl.addSubcommand(name, new CommandLine(type(name))));
    }

    private static boolean isOnlyHelp(final String[] arguments)
    {
        return arguments.length == 1 && ("--help".equals(arguments[0]) || "-h".equals(arguments[0]));
    }

    /** A command as the list of all commands shows it, without its options. */
    private static CommandSpec described(final String name)
    {
        final CommandSpec spec = CommandSpec.create().name(name);
        final Command command = type(name).getAnnotation(Command.class);
        spec.usageMessage().header(command.header()).description(command.description());
        return spec;
    }

    private static Class<?> type(final String name)
    {
        return switch (name)
        {
            case "quickstart" -> QuickstartCommand.class;
            case "server" -> ServerCommand.class;
            case "put" -> PutCommand.class;
            case "get" -> GetCommand.class;
            case "delete" -> DeleteCommand.class;
            case "getdel" -> GetdelCommand.class;
            case "incr" -> IncrCommand.class;
            case "append" -> AppendCommand.class;
            case "touch" -> TouchCommand.class;
            case "persist" -> PersistCommand.class;
            case "ttl" -> TtlCommand.class;
            case "mput" -> MputCommand.class;
            case "mget" -> MgetCommand.class;
            case "import" -> ImportCommand.class;
            case "export" -> ExportCommand.class;
            case "shell" -> ShellCommand.class;
            case "stats" -> StatsCommand.class;
            case "snapshot" -> SnapshotCommand.class;
            case "backup" -> BackupCommand.class;
            case "restore" -> RestoreCommand.class;
            case "data" -> DataCommand.class;
            case "cluster" -> ClusterCommand.class;
            case "ping" -> PingCommand.class;
            case "load" -> LoadCommand.class;
            case "rdma" -> RdmaCommand.class;
            case "completion" -> CompletionCommand.class;
            case "man" -> ManCommand.class;
            case "help" -> HelpCommand.class;
            default -> throw new IllegalArgumentException("there is no such command: name=" + name);
        };
    }
}
