package org.onesided.tools.kvctl.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.RdmaSetting;
import org.onesided.tools.kvctl.command.Variables;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.settings.BrokenSettingException;
import org.onesided.tools.settings.PropertiesFile;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * Options of {@code kvctl server} that were not given on its command line: a variable stands in for each, then a
 * property of the file that {@code --config} names. What there is to set is what the command's options say.
 */
public final class ServerSettings
{
    static final String CONFIG = "--config";
    static final String VARIABLE_PREFIX = "KVCTL_SERVER_";
    /** 7 stands for ever. */
    private static final int MAX_RNR_RETRIES = 6;
    private static final Set<String> NO_SETTINGS = Set.of("--help", "--verbose", "--version", CONFIG);
    /** How the text of each option's help ends. */
    private static final Pattern HELP = Pattern.compile(
        "(.*?)(?:; else (KVCTL_[A-Z_]+)( \\([^)]*\\))?, else|[;,] default) (.+)\\.");

    private final Map<String, Setting> settings;
    private final Surroundings surroundings;
    private final PropertiesFile file;

    /**
     * One thing to set.
     *
     * @param option    of the command line.
     * @param name      of the property: the option's without its dashes.
     * @param variable  that stands in for the option.
     * @param note      on the variable, or empty.
     * @param byDefault what holds if none of them is given.
     * @param meaning   of it.
     */
    record Setting(
        OptionSpec option, String name, String variable, String note, String byDefault, String meaning)
    {
        static Setting of(final OptionSpec option)
        {
            final String name = option.longestName().substring(2);
            final String help = String.join("", option.description());
            final Matcher matcher = HELP.matcher(help);
            if (!matcher.matches())
            {
                throw new IllegalStateException(
                    "help must end in '; default X.' or '; else KVCTL_Y, else X.': help=" + help);
            }
            final String variable = matcher.group(2) != null ? matcher.group(2) :
                Variables.of("--" + ServerCommand.NAME + option.longestName().substring(1));
            final String note = matcher.group(3) == null ? "" : matcher.group(3);
            return new Setting(option, name, variable, note, matcher.group(4), matcher.group(1));
        }

        /** Whether clients have it, too. */
        boolean isShared()
        {
            return !variable.startsWith(VARIABLE_PREFIX);
        }
    }

    private ServerSettings(
        final Map<String, Setting> settings, final Surroundings surroundings, final PropertiesFile file)
    {
        this.settings = settings;
        this.surroundings = surroundings;
        this.file = file;
    }

    /** All there is to set, by name. */
    static Map<String, Setting> of(final CommandSpec server)
    {
        return server.options().stream()
            .filter((option) -> !option.inherited() && !NO_SETTINGS.contains(option.longestName()))
            .map(Setting::of)
            .collect(Collectors.toMap(Setting::name, (setting) -> setting, (a, b) -> a, TreeMap::new));
    }

    /**
     * Reads the file, and sees that all it says can be.
     *
     * @param server       the command.
     * @param given        file of properties, or null to look at the variable.
     * @param surroundings whose variables count.
     * @return the settings.
     */
    static ServerSettings load(final CommandSpec server, final Path given, final Surroundings surroundings)
    {
        final String named = surroundings.variable(VARIABLE_PREFIX + "CONFIG");
        final Path path = given != null ? given : named == null ? null : Path.of(named);
        try
        {
            final ServerSettings settings = new ServerSettings(
                of(server), surroundings, path == null ? null : PropertiesFile.load(path));
            settings.checkFile();
            return settings;
        }
        catch (final BrokenSettingException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
        catch (final IOException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "cannot read the configuration file " + path + ": " + FileMessages.reason(e), e);
        }
    }

    /** Variables that look like settings and are none. */
    static List<String> strange(final CommandSpec server, final Set<String> variables)
    {
        final Set<String> known =
            of(server).values().stream().map(Setting::variable).collect(Collectors.toCollection(HashSet::new));
        known.add(VARIABLE_PREFIX + "CONFIG");
        return variables.stream()
            .filter((name) -> name.startsWith(VARIABLE_PREFIX) && !known.contains(name))
            .sorted().toList();
    }

    /**
     * Sets the options that are the server's alone and were not given.
     *
     * @param commandLine what was.
     */
    void fill(final ParseResult commandLine)
    {
        for (final Setting setting : settings.values())
        {
            if (!setting.isShared() && !commandLine.hasMatchedOption(setting.option()))
            {
                final String text = surroundings.variable(setting.variable());
                if (text != null)
                {
                    setting.option().setValue(convert(setting, text, setting.variable()));
                }
                else if (property(setting.name()) != null)
                {
                    setting.option().setValue(propertyValue(setting));
                }
            }
        }
    }

    /** The file's text for an option that clients have, too; null if it has none, or a variable overrides it. */
    String shared(final String name)
    {
        return surroundings.variable(settings.get(name).variable()) == null ? property(name) : null;
    }

    /** The file's token file: a path that is relative starts from the file. */
    Path tokenFile()
    {
        final String text = surroundings.variable(Variables.TOKEN) == null ? shared("token-file") : null;
        return text == null ? null : file.resolve(Path.of(text));
    }

    /** How to connect queue pairs, as the file says. */
    ConnectionOptions connection(final ConnectionOptions defaults)
    {
        ConnectionOptions options = defaults;
        for (final RdmaSetting setting : RdmaSetting.values())
        {
            final String name = setting.option().substring(2);
            if (property(name) != null)
            {
                options = connection(setting, name, options);
            }
        }
        return options;
    }

    /**
     * Sees that a server will not wait for ever.
     *
     * @param options of the server.
     * @param name    of the option that says how often to try again.
     * @return the same.
     */
    static ConnectionOptions checked(final ConnectionOptions options, final String name)
    {
        if (options.rnrRetry() > MAX_RNR_RETRIES)
        {
            throw new CommandException(ExitCode.USAGE, "a server must not wait for ever for a client that has no " +
                "receive posted: " + name + " must be 0 to " + MAX_RNR_RETRIES + ": " + name + "=" +
                options.rnrRetry());
        }
        return options;
    }

    private ConnectionOptions connection(
        final RdmaSetting setting, final String name, final ConnectionOptions others)
    {
        try
        {
            return checked(setting.apply(others, name, property(name)), name);
        }
        catch (final CommandException e)
        {
            throw broken(settings.get(name), e.getMessage(), e);
        }
    }

    private void checkFile() throws BrokenSettingException
    {
        if (file == null)
        {
            return;
        }
        for (final String name : file.values().keySet())
        {
            final Setting setting = settings.get(name);
            if (setting == null)
            {
                throw new BrokenSettingException(file.place(name), "unknown property, remove or correct it " +
                    "(kvctl server --help shows them as options): '" + name + "'");
            }
            if (file.values().get(name).isEmpty())
            {
                throw new BrokenSettingException(file.place(name), name + " has no value, give one or remove it");
            }
            propertyValue(setting);
        }
        checkDevice(connection(ConnectionOptions.defaults(0)));
    }

    private void checkDevice(final ConnectionOptions options)
    {
        final String name = "device";
        if (property(name) != null)
        {
            try
            {
                new DeviceChoice(property(name), options, true);
            }
            catch (final VerbsException e)
            {
                throw broken(settings.get(name), Failures.wrongDevice(name, e), e);
            }
        }
    }

    private String property(final String name)
    {
        return file == null ? null : file.values().get(name);
    }

    private Object propertyValue(final Setting setting)
    {
        final Object value = convert(
            setting, property(setting.name()), file.place(setting.name()) + ": " + setting.name());
        return value instanceof Path ? file.resolve((Path)value) : value;
    }

    private CommandException broken(final Setting setting, final String message, final Exception cause)
    {
        return new CommandException(ExitCode.USAGE, file.place(setting.name()) + ": " + message, cause);
    }

    private static Object convert(final Setting setting, final String text, final String place)
    {
        try
        {
            final ITypeConverter<?>[] converters = setting.option().converters();
            if (converters.length > 0)
            {
                return converters[0].convert(text);
            }
            return setting.option().type() == Path.class ? Path.of(text) : text;
        }
        catch (final TypeConversionException e)
        {
            throw new CommandException(ExitCode.USAGE, place + ": " + e.getMessage(), e);
        }
        catch (final Exception e)
        {
            throw new CommandException(ExitCode.USAGE, place + ": cannot be '" + text + "': " + e.getMessage(), e);
        }
    }

    /** The settings as a table of Markdown. */
    static String table(final CommandSpec server)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("| flag | variable | property | default | |");
        lines.add("|---|---|---|---|---|");
        final OptionSpec config = server.findOption(CONFIG);
        lines.add("| `" + CONFIG + " " + config.paramLabel() + "` | `" + VARIABLE_PREFIX + "CONFIG` | | none | " +
            String.join("", config.description()).replaceFirst("; default none\\.$", "") + " |");
        for (final Setting setting : of(server).values())
        {
            lines.add("| `--" + setting.name() + " " + setting.option().paramLabel().replace("|", "\\|") + "` | `" +
                setting.variable() + "`" + setting.note() + " | `" + setting.name() + "` | " +
                setting.byDefault() + " | " + setting.meaning() + " |");
        }
        return String.join("\n", lines) + "\n";
    }
}
