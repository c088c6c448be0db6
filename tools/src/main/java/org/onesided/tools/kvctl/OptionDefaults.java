package org.onesided.tools.kvctl;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.settings.Variables;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Takes the form of the output and the encodings from their variables if the options are not given. Options that are
 * made from settings have their own order of options and variables:
 * {@link org.onesided.tools.kvctl.command.GivenSettings}.
 */
final class OptionDefaults implements IDefaultValueProvider
{
    private static final List<String> NAMES =
        List.of(OutputOption.NAME, KeyEncodingOption.NAME, ValueEncodingOption.NAME);

    private final Surroundings surroundings;
    private final Set<ArgSpec> used = new HashSet<>();

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
        if (!(argument instanceof OptionSpec option) || !NAMES.contains(option.longestName()))
        {
            return null;
        }
        final String value = surroundings.variable(Variables.of(option.longestName()));
        if (value != null)
        {
            used.add(argument);
        }
        return value;
    }

    /** The message of a failure, which names the variable if the value is the variable's. */
    String message(final ParameterException e)
    {
        if (!(e.getArgSpec() instanceof OptionSpec option) || !used.contains(option))
        {
            return e.getMessage();
        }
        return e.getMessage().replace("option '" + option.longestName() + "'", Variables.of(option.longestName()));
    }
}
