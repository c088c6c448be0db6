package org.onesided.tools.kvctl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    /** Variables by the longest names of their options. */
    private static final Map<String, String> VARIABLES = Map.of(
        "--server", ClientOptions.SERVER_VARIABLE,
        "--device", ClientOptions.DEVICE_VARIABLE,
        "--token-file", ClientOptions.TOKEN_FILE_VARIABLE,
        "--deadline", ClientOptions.DEADLINE_VARIABLE,
        "--tls-ca", TlsClientOptions.AUTHORITIES_VARIABLE,
        "--tls-certificate", TlsClientOptions.CERTIFICATE_VARIABLE,
        "--tls-key", TlsClientOptions.KEY_VARIABLE,
        OutputOption.NAME, OutputOption.VARIABLE);

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
        final String variable = VARIABLES.get(name);
        if (variable != null && name.startsWith("--tls-") && ServerCommand.NAME.equals(command.name()))
        {
            // What a client shows is nothing for a server to show.
            return null;
        }
        if (variable == null || hasConnection && !OutputOption.NAME.equals(name))
        {
            return null;
        }
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
