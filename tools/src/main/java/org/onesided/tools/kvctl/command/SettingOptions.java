package org.onesided.tools.kvctl.command;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.onesided.tools.settings.Setting;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options of a command that are made from settings, and the values given for them. A command adds {@link #spec} as a
 * mixin. Not thread-safe.
 */
public final class SettingOptions
{
    private final CommandSpec spec = CommandSpec.create();
    private final Map<String, OptionSpec> options = new LinkedHashMap<>();

    /**
     * Adds an option for each setting.
     *
     * @param settings to add.
     * @return this.
     */
    public SettingOptions add(final Collection<? extends Setting<?>> settings)
    {
        settings.forEach(setting -> spec.addOption(newOption(setting)));
        return this;
    }

    /**
     * Adds an option for each setting, under a heading of their own in the help.
     *
     * @param heading  such as "TLS options".
     * @param settings to add.
     * @return this.
     */
    public SettingOptions addGroup(final String heading, final Collection<? extends Setting<?>> settings)
    {
        final ArgGroupSpec.Builder group =
            ArgGroupSpec.builder().validate(false).exclusive(false).heading("%n" + heading + ":%n");
        settings.forEach(setting -> group.addArg(newOption(setting)));
        spec.addArgGroup(group.build());
        return this;
    }

    private OptionSpec newOption(final Setting<?> setting)
    {
        final OptionSpec option = setting.newOption();
        options.put(setting.name(), option);
        return option;
    }

    /**
     * Accesses the options.
     *
     * @return the mixin that adds them to a command.
     */
    public CommandSpec spec()
    {
        return spec;
    }

    /**
     * Looks for an option.
     *
     * @param setting of any command.
     * @return whether there is an option for it, or for a setting of the same name.
     */
    boolean has(final Setting<?> setting)
    {
        return options.containsKey(setting.name());
    }

    /**
     * Looks up a value given on the command line.
     *
     * @param setting of any command.
     * @param <T>     type of the value.
     * @return the value, or null if there is none.
     */
    public <T> T given(final Setting<T> setting)
    {
        final OptionSpec option = options.get(setting.name());
        final T value = option == null ? null : option.getValue();
        return Boolean.FALSE.equals(value) ? null : value;
    }

    /**
     * Looks for values given on the command line.
     *
     * @param settings to look for.
     * @return whether at least one of them was given.
     */
    public boolean isAnyGiven(final Collection<? extends Setting<?>> settings)
    {
        return settings.stream().anyMatch(setting -> given(setting) != null);
    }

    /**
     * Whether any of the options was given.
     *
     * @return whether one was.
     */
    boolean isAnyGiven()
    {
        return options.values().stream()
            .anyMatch(option -> option.getValue() != null && !Boolean.FALSE.equals(option.getValue()));
    }

    /**
     * Repeats what was given, as arguments for another command.
     *
     * @param settings to repeat.
     * @return names and values.
     */
    public List<String> arguments(final Collection<? extends Setting<?>> settings)
    {
        return settings.stream()
            .filter(setting -> given(setting) != null)
            .flatMap(setting -> Stream.of(setting.option(), given(setting).toString()))
            .toList();
    }
}
