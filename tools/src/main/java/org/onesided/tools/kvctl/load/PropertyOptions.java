package org.onesided.tools.kvctl.load;

import java.util.EnumMap;
import java.util.Map;
import org.onesided.tools.load.workload.WorkloadSetting;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of {@code kvctl load} that set the numbers of YCSB's properties.
 */
final class PropertyOptions
{
    private final Map<WorkloadSetting, OptionSpec> options = new EnumMap<>(WorkloadSetting.class);
    private final CommandSpec spec = CommandSpec.create();

    PropertyOptions()
    {
        final ArgGroupSpec.Builder group =
            ArgGroupSpec.builder().validate(false).exclusive(false).heading("%nNumbers of the workload:%n");
        for (final WorkloadSetting setting : WorkloadSetting.values())
        {
            final OptionSpec option = OptionSpec.builder(setting.option())
                .paramLabel("N")
                .type(setting.type())
                .description(setting.meaning() + "; default " + setting.defaultText() + ".")
                .build();
            options.put(setting, option);
            group.addArg(option);
        }
        spec.addArgGroup(group.build());
    }

    /** The mixin that adds the options to a command. */
    CommandSpec spec()
    {
        return spec;
    }

    /** Null if the option was not given. */
    Number given(final WorkloadSetting setting)
    {
        return options.get(setting).getValue();
    }

    /** Puts the numbers given into YCSB's properties. */
    void addTo(final Map<String, String> properties)
    {
        for (final WorkloadSetting setting : options.keySet())
        {
            if (given(setting) != null)
            {
                properties.put(setting.property(), given(setting).toString());
            }
        }
    }

    /** A message about properties, with the options in place of the properties that they set. */
    String inOptions(final String message)
    {
        String typed = message;
        for (final WorkloadSetting setting : options.keySet())
        {
            if (given(setting) != null)
            {
                typed = typed.replaceAll("\\b" + setting.property() + "(?==| must be )", setting.option());
            }
        }
        return typed;
    }
}
