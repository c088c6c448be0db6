package org.onesided.tools.kvctl.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.settings.BrokenSettingException;
import org.onesided.tools.settings.PropertiesFile;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.tools.settings.Setting;
import org.onesided.tools.settings.SettingSource;
import org.onesided.tools.settings.Variables;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.VerbsException;

/**
 * The settings of {@code kvctl server}: options and variables override the properties of the file that {@code --config}
 * names.
 */
public final class ServerSettings implements SettingSource
{
    static final String VARIABLE_PREFIX = "KVCTL_SERVER_";
    /** 7 has no limit. */
    private static final int MAX_RNR_RETRIES = 6;
    private static final Setting<Integer> RNR_RETRIES = RdmaSetting.RNR_RETRIES.setting();

    private final GivenSettings given;
    private final PropertiesFile file;

    private ServerSettings(final GivenSettings given, final PropertiesFile file)
    {
        this.given = given;
        this.file = file;
    }

    /**
     * Reads the file, and checks all of its properties.
     *
     * @param given options and variables.
     * @return the settings.
     * @throws BrokenSettingException if the file has a property that cannot be.
     * @throws CommandException       if the file cannot be read.
     */
    static ServerSettings load(final GivenSettings given)
    {
        final Path path = given.value(ServerSettingList.CONFIG);
        try
        {
            final ServerSettings settings = new ServerSettings(given, path == null ? null : PropertiesFile.load(path));
            settings.checkFile();
            return settings;
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotRead("the configuration file " + path, e);
        }
    }

    /** Variables that look like settings and are none. */
    static List<String> unknown(final Set<String> variables)
    {
        final Set<String> known =
            ServerSettingList.all().stream().map(Setting::variable).collect(Collectors.toSet());
        return variables.stream()
            .filter((name) -> name.startsWith(VARIABLE_PREFIX) && !known.contains(name))
            .sorted().toList();
    }

    @Override
    public <T> T value(final Setting<T> setting)
    {
        final T value = given.value(setting);
        return value != null ? value : property(setting);
    }

    /** The file with the secret, or null. The variable with the secret itself overrides the property. */
    Path tokenFile()
    {
        final Path path = given.value(ClientOptions.TOKEN_FILE);
        return path != null || given.surroundings().variable(Variables.TOKEN) != null ? path :
            property(ClientOptions.TOKEN_FILE);
    }

    /** How to connect queue pairs. */
    ConnectionOptions connection(final ConnectionOptions defaults)
    {
        final ConnectionOptions options = RdmaSetting.connection(defaults, this);
        requireRetryLimit(options, "invalid value for option '" + RNR_RETRIES.option() + "'");
        return options;
    }

    private static void requireRetryLimit(final ConnectionOptions options, final String place)
    {
        if (options.rnrRetry() > MAX_RNR_RETRIES)
        {
            throw new BrokenSettingException(place, "must be a whole number from 0 to " + MAX_RNR_RETRIES +
                ", since a server must not wait for ever for a client that has no receive posted: '" +
                options.rnrRetry() + "'");
        }
    }

    private void checkFile()
    {
        if (file == null)
        {
            return;
        }
        final Map<String, Setting<?>> settings =
            ServerSettingList.all().stream().collect(Collectors.toMap(Setting::name, Function.identity()));
        settings.remove(ServerSettingList.CONFIG.name());
        file.values().forEach((name, text) ->
        {
            if (!settings.containsKey(name))
            {
                throw new BrokenSettingException(file.place(name), "unknown property, remove or correct it " +
                    "(kvctl server --help shows them as options): '" + name + "'");
            }
            if (text.isEmpty())
            {
                throw new BrokenSettingException(file.place(name), name + " has no value, give one or remove it");
            }
            property(settings.get(name));
        });
        final ConnectionOptions options = RdmaSetting.connection(ConnectionOptions.defaults(0), this::property);
        requireRetryLimit(options, place(RNR_RETRIES));
        checkDevice(options);
    }

    private void checkDevice(final ConnectionOptions options)
    {
        final String device = property(ServerSettingList.DEVICE);
        if (device != null)
        {
            try
            {
                new DeviceChoice(device, options, true);
            }
            catch (final VerbsException e)
            {
                final String name = ServerSettingList.DEVICE.name();
                throw new BrokenSettingException(file.place(name), Failures.wrongDevice(name, e));
            }
        }
    }

    /** Null if the file does not have it. A relative path starts from the folder of the file. */
    private <T> T property(final Setting<T> setting)
    {
        final String text = file == null ? null : file.values().get(setting.name());
        if (text == null)
        {
            return null;
        }
        final T value = setting.read(text, place(setting));
        return value instanceof Path path ? setting.read(file.resolve(path).toString(), place(setting)) : value;
    }

    private String place(final Setting<?> setting)
    {
        return file.place(setting.name()) + ": " + setting.name();
    }
}
