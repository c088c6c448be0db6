package org.onesided.tools.ycsb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.onesided.client.StoreClientBuilder;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.Setting;
import org.onesided.tools.settings.SettingSource;
import site.ycsb.DBException;

/**
 * The properties of the binding, as {@code -p onesided.server=HOST:PORT} gives them to YCSB: a property for each of
 * {@link ClientSettings}.
 */
final class BindingProperties implements SettingSource
{
    private static final String PREFIX = "onesided.";
    private static final Set<String> NAMES =
        ClientSettings.all().stream().map(BindingProperties::name).collect(Collectors.toCollection(TreeSet::new));

    private final Properties properties;

    BindingProperties(final Properties properties)
    {
        this.properties = properties;
    }

    /** Name of the property for a setting. */
    static String name(final Setting<?> setting)
    {
        return PREFIX + setting.name().replace('-', '.');
    }

    /**
     * @return a builder of a client that is as the properties say.
     * @throws DBException if there is no such property, or it cannot have its value.
     */
    StoreClientBuilder clientBuilder() throws DBException
    {
        refuseUnknown();
        try
        {
            final StoreClientBuilder builder = ClientSettings.builder(this);
            final Path tokenFile = value(ClientSettings.TOKEN_FILE);
            return tokenFile == null ? builder : builder.token(Token.load(tokenFile).bytes());
        }
        catch (final IOException e)
        {
            throw new DBException("cannot read the secret: " + name(ClientSettings.TOKEN_FILE) + "=" +
                properties.getProperty(name(ClientSettings.TOKEN_FILE)) + ": " + e.getMessage(), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new DBException(e.getMessage(), e);
        }
    }

    @Override
    public <T> T value(final Setting<T> setting)
    {
        final String name = name(setting);
        final String text = properties.getProperty(name);
        return text == null ? null : setting.read(text.trim(), name);
    }

    /** A misspelled property would otherwise leave its default in force without notice. */
    private void refuseUnknown() throws DBException
    {
        for (final String name : properties.stringPropertyNames())
        {
            if (name.startsWith(PREFIX) && !NAMES.contains(name))
            {
                throw new DBException("no such property: " + name + "; there are " + NAMES);
            }
        }
    }
}
