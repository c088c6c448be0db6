package org.onesided.tools.kvctl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.RdmaOptions;
import org.onesided.tools.kvctl.command.Variables;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.server.ServerCommand;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * What stands in for an option that is not given behind its command: the same option before the command, else a
 * variable. {@link RdmaOptions} look for theirs themselves, since each of them has a range. Not thread-safe.
 */
final class OptionDefaults implements IDefaultValueProvider
{
    /** The longest names of such options. */
    private static final Set<String> NAMES = Set.of("--server", "--device", "--token-file", "--deadline", "--tls-ca",
        "--tls-certificate", "--tls-key", OutputOption.NAME);

    private final Surroundings surroundings;
    private final boolean hasConnection;
    private final Map<ArgSpec, String> used = new HashMap<>();

    /**
     * @param surroundings  that have the variables.
     * @param hasConnection whether commands use a connection that is there, so that nothing about one is to be told.
     */
    OptionDefaults(final Surroundings surroundings, final boolean hasConnection)
    {
        this.surroundings = surroundings;
        this.hasConnection = hasConnection;
    }

    @Override
    public String defaultValue(final ArgSpec argument)
    {
        // Options of kvctl itself stay as given; those of kvctl rdma name RDMA devices, not what a store is used with.
        final CommandSpec command = argument.command();
        if (!argument.isOption() || command.parent() == null)
        {
            return null;
        }
        final String name = ((OptionSpec)argument).longestName();
        if (command.parent().parent() != null && !OutputOption.NAME.equals(name))
        {
            return null;
        }
        if (!NAMES.contains(name) || hasConnection && !OutputOption.NAME.equals(name))
        {
            return null;
        }
        if (name.startsWith("--tls-") && ServerCommand.NAME.equals(command.name()))
        {
            // What a client shows is nothing for a server to show.
            return null;
        }
        final String variable = Variables.of(name);
        final OptionSpec before = command.root().findOption(name);
        final List<String> given = before == null ? List.of() : before.stringValues();
        if (!given.isEmpty())
        {
            return given.get(given.size() - 1);
        }
        final String value = surroundings.variable(variable);
        if (value != null)
        {
            used.put(argument, variable);
        }
        return value;
    }

    /** The message of a failure, which names the variable where its value is what is wrong. */
    String message(final ParameterException e)
    {
        final String variable = e.getArgSpec() == null ? null : used.get(e.getArgSpec());
        if (variable == null || !e.getArgSpec().isOption())
        {
            return e.getMessage();
        }
        return e.getMessage().replace("option '" + ((OptionSpec)e.getArgSpec()).longestName() + "'", variable);
    }
}
