package org.onesided.tools.kvctl.command;

import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.settings.Setting;
import org.onesided.tools.settings.SettingSource;

/**
 * The settings of a command: options after the command override those before it, and these override variables.
 *
 * @param own          options after the command.
 * @param outer        options before the command.
 * @param surroundings with the variables.
 */
public record GivenSettings(SettingOptions own, SettingOptions outer, Surroundings surroundings)
    implements SettingSource
{
    @Override
    public <T> T value(final Setting<T> setting)
    {
        if (own.given(setting) != null)
        {
            return own.given(setting);
        }
        return isTyped(setting) ? outer.given(setting) : variable(setting);
    }

    /**
     * Whether the command line, rather than a variable, has the value.
     *
     * @param setting to look for.
     * @return whether an option gives it.
     */
    public boolean isTyped(final Setting<?> setting)
    {
        return own.given(setting) != null || setting.isShared() && outer.given(setting) != null;
    }

    private <T> T variable(final Setting<T> setting)
    {
        final String text = own.has(setting) || outer.has(setting) ? surroundings.variable(setting.variable()) : null;
        // A flag is set by a variable of any value.
        return text == null ? null :
            setting.read(setting.isFlag() ? "true" : text, "invalid value for " + setting.variable());
    }
}
