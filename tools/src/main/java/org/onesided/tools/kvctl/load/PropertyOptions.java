package org.onesided.tools.kvctl.load;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.onesided.tools.load.workload.Distribution;
import org.onesided.tools.load.workload.ReadModifyWrite;
import org.onesided.tools.load.workload.WorkloadSetting;
import org.onesided.tools.settings.TimeSpan;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of {@code kvctl load} that are also properties of YCSB.
 */
final class PropertyOptions
{
    private final Map<WorkloadSetting, OptionSpec> options = new EnumMap<>(WorkloadSetting.class);
    private final CommandSpec spec = CommandSpec.create();

    PropertyOptions()
    {
        final ArgGroupSpec.Builder group =
            ArgGroupSpec.builder().validate(false).exclusive(false).heading("%nProperties of the workload:%n");
        for (final WorkloadSetting setting : WorkloadSetting.values())
        {
            final OptionSpec option = newOption(setting);
            options.put(setting, option);
            group.addArg(option);
        }
        spec.addArgGroup(group.build());
    }

    private static OptionSpec newOption(final WorkloadSetting setting)
    {
        final OptionSpec.Builder option = OptionSpec.builder(setting.option())
            .type(setting.type())
            .description(setting.meaning() + "; default " + setting.defaultText() + ".");
        if (setting.type() == Boolean.class)
        {
            return option.arity("0").negatable(true).build();
        }
        if (setting.type() == Duration.class)
        {
            option.converters(new TimeSpan());
        }
        if (setting == WorkloadSetting.DISTRIBUTION)
        {
            option.completionCandidates(Distribution.labels());
        }
        if (setting == WorkloadSetting.READ_MODIFY_WRITE)
        {
            option.completionCandidates(ReadModifyWrite.labels());
        }
        return option.paramLabel(setting.label()).build();
    }

    /** The mixin that adds the options to a command. */
    CommandSpec spec()
    {
        return spec;
    }

    /** Null if the option was not given. */
    <T> T given(final WorkloadSetting setting)
    {
        return options.get(setting).getValue();
    }

    /** Puts into YCSB's properties what is given of numbers and names; times and flags say more than the properties. */
    void addTo(final Map<String, String> properties)
    {
        for (final WorkloadSetting setting : options.keySet())
        {
            final Object value = given(setting);
            if (value instanceof Number || value instanceof String)
            {
                properties.put(setting.property(), value.toString());
            }
        }
    }

    /** A message about properties, with the options in place of the properties that they set. */
    String inOptions(final String message)
    {
        String typed = message;
        for (final WorkloadSetting setting : options.keySet())
        {
            final Object value = given(setting);
            if (value instanceof Number || value instanceof String)
            {
                typed = typed.replaceAll("\\b" + setting.property() + "(?==| must be )", setting.option());
            }
        }
        return typed;
    }
}
