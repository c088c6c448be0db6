package org.onesided.tools.kvctl;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * The commands by their names. picocli looks at every class that it is told of, which takes longer than a short command
 * itself, so it is told of one alone where that is sure to be enough.
 */
final class Commands
{
    /** In the order of the help. */
    static final List<String> NAMES = List.of(
        "quickstart", "server", "put", "get", "delete", "mput", "mget", "import", "export", "shell", "stats", "ping",
        "load", "rdma", "completion", "help");

    private Commands()
    {
    }

    /**
     * Adds those commands that the arguments can ask for: one if they begin with its name, else all.
     */
    static void add(final CommandLine kvctl, final String[] arguments)
    {
        final boolean isOne = arguments.length > 0 && NAMES.contains(arguments[0]) && !"help".equals(arguments[0]) &&
            !"completion".equals(arguments[0]);
        add(kvctl, isOne ? List.of(arguments[0]) : NAMES);
    }

    static void add(final CommandLine kvctl, final List<String> names)
    {
        names.forEach(name -> kvctl.addSubcommand(name, type(name)));
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
            case "mput" -> MputCommand.class;
            case "mget" -> MgetCommand.class;
            case "import" -> ImportCommand.class;
            case "export" -> ExportCommand.class;
            case "shell" -> ShellCommand.class;
            case "stats" -> StatsCommand.class;
            case "ping" -> PingCommand.class;
            case "load" -> LoadCommand.class;
            case "rdma" -> RdmaCommand.class;
            case "completion" -> CompletionCommand.class;
            case "help" -> HelpCommand.class;
            default -> throw new IllegalArgumentException("there is no such command: name=" + name);
        };
    }
}
