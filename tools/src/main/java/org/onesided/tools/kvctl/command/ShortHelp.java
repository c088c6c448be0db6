package org.onesided.tools.kvctl.command;

import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpFactory;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The help of a command with its own options, without the many that all commands with a connection share.
 */
public final class ShortHelp
{
    /** Name of the mixin with the options of a connection, which is that of the field. */
    private static final String CONNECTION = "connectionOptions";

    private ShortHelp()
    {
    }

    /**
     * Makes the help of commands.
     *
     * @param hasAll whether with all options.
     * @return what picocli makes the help with.
     */
    public static IHelpFactory factory(final boolean hasAll)
    {
        return (spec, colors) -> new Help(hasAll ? spec : of(spec), colors);
    }

    private static CommandSpec of(final CommandSpec spec)
    {
        final CommandSpec own = CommandSpec.create()
            .name(spec.qualifiedName().strip())
            .usageMessage(spec.usageMessage());
        spec.positionalParameters().forEach(own::addPositional);
        for (final OptionSpec option : spec.options())
        {
            if (option.group() == null && !isOfConnection(spec, option))
            {
                own.addOption(OptionSpec.builder(option).build());
            }
        }
        for (final ArgGroupSpec group : spec.argGroups())
        {
            add(spec, group, own);
        }
        spec.subcommands().forEach((name, command) ->
        {
            final CommandSpec listed = CommandSpec.create().name(name);
            final UsageMessageSpec usage = command.getCommandSpec().usageMessage();
            listed.usageMessage().header(usage.header()).description(usage.description());
            own.addSubcommand(name, listed);
        });
        return own;
    }

    private static void add(final CommandSpec spec, final ArgGroupSpec group, final CommandSpec own)
    {
        final ArgGroupSpec.Builder shown =
            ArgGroupSpec.builder().validate(false).exclusive(false).heading(group.heading());
        boolean isEmpty = isOfQueuePairs(spec, group);
        if (!isEmpty)
        {
            isEmpty = true;
            for (final OptionSpec option : group.options())
            {
                if (!isOfConnection(spec, option))
                {
                    shown.addArg(OptionSpec.builder(option).build());
                    isEmpty = false;
                }
            }
        }
        if (!isEmpty)
        {
            own.addArgGroup(shown.build());
        }
    }

    private static boolean isOfConnection(final CommandSpec spec, final OptionSpec option)
    {
        final CommandSpec connection = spec.mixins().get(CONNECTION);
        return connection != null && connection.optionsMap().containsKey(option.longestName());
    }

    /** Whether options are those of queue pairs, which the commands of {@code kvctl rdma} are about. */
    private static boolean isOfQueuePairs(final CommandSpec spec, final ArgGroupSpec group)
    {
        final boolean isRdma = spec.parent() != null && "rdma".equals(spec.parent().name());
        return !isRdma && group.heading() != null && group.heading().contains(ClientOptions.RDMA_HEADING);
    }
}
