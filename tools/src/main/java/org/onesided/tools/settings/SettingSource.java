package org.onesided.tools.settings;

/**
 * Where the values of settings come from: options and variables, or properties.
 */
public interface SettingSource
{
    /**
     * Looks a value up.
     *
     * @param setting to look up.
     * @param <T>     type of the value.
     * @return the value, or null if the setting is not given.
     * @throws BrokenSettingException if a value is given that the setting cannot have.
     */
    <T> T value(Setting<T> setting);
}
