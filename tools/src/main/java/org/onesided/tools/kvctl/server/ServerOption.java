package org.onesided.tools.kvctl.server;

import java.util.function.BiConsumer;
import org.onesided.server.ServerOptions;
import org.onesided.tools.settings.Setting;
import org.onesided.tools.settings.SettingSource;

/**
 * A setting with its effect on the server.
 *
 * @param setting to look up.
 * @param effect  of its value, if it is given.
 * @param <T>     type of the value.
 */
record ServerOption<T>(Setting<T> setting, BiConsumer<ServerOptions, T> effect)
{
    void apply(final SettingSource source, final ServerOptions options)
    {
        final T value = source.value(setting);
        if (value != null)
        {
            effect.accept(options, value);
        }
    }
}
