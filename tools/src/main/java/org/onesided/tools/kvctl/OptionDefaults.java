package org.onesided.tools.kvctl;

import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.settings.Variables;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Takes the form of the output from its variable if the option is not given. Options that are made from settings have
 * their own order of options and variables: {@link org.onesided.tools.kvctl.command.GivenSettings}.
 */
final class OptionDefaults implements IDefaultValueProvider
{
    private static final String VARIABLE = Variables.of(OutputOption.NAME);

    private final Surroundings surroundings;
    private ArgSpec used;

    /**
     * @param surroundings with the variables.
     */
    OptionDefaults(final Surroundings surroundings)
    {
        this.surroundings = surroundings;
    }

    @Override
    public String defaultValue(final ArgSpec argument)
    {
        if (!(argument instanceof OptionSpec option) || !OutputOption.NAME.equals(option.longestName()))
        {
            return null;
        }
        used = argument;
        return surroundings.variable(VARIABLE);
    }

    /** The message of a failure, which names the variable if the value is the variable's. */
    String message(final ParameterException e)
    {
        return e.getArgSpec() == null || e.getArgSpec() != used ? e.getMessage() :
            e.getMessage().replace("option '" + OutputOption.NAME + "'", VARIABLE);
    }
}
