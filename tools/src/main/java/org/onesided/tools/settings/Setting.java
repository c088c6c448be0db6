package org.onesided.tools.settings;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * A setting, declared once. Its option, help, environment variable, property, completion and row in the documentation
 * come from here. Immutable.
 *
 * @param name      of the property; the option has two dashes before it.
 * @param label     of the value in the help; empty for a flag, which has no value on the command line.
 * @param isShared  whether clients and servers have it; else only servers have it, and its variable says so.
 * @param reader    of the value; refuses a value that is out of range with a {@link TypeConversionException}.
 * @param words     that completion offers as values; empty for none.
 * @param meaning   of the setting, as the help says it, without a full stop.
 * @param byDefault value if the setting is not given, as the help says it.
 * @param <T>       type of the value.
 */
public record Setting<T>(
    String name,
    String label,
    boolean isShared,
    ITypeConverter<T> reader,
    List<String> words,
    String meaning,
    String byDefault)
{
    private static final String FILE = "FILE";

    /**
     * Declares a setting that clients have.
     *
     * @param name      see {@link #name()}.
     * @param label     see {@link #label()}.
     * @param reader    see {@link #reader()}.
     * @param meaning   see {@link #meaning()}.
     * @param byDefault see {@link #byDefault()}.
     * @param <T>       type of the value.
     * @return the setting.
     */
    public static <T> Setting<T> shared(
        final String name,
        final String label,
        final ITypeConverter<T> reader,
        final String meaning,
        final String byDefault)
    {
        return new Setting<>(name, label, true, reader, List.of(), meaning, byDefault);
    }

    /**
     * Declares a file that clients name.
     *
     * @param name      see {@link #name()}.
     * @param meaning   see {@link #meaning()}.
     * @param byDefault see {@link #byDefault()}.
     * @return the setting.
     */
    public static Setting<Path> sharedFile(final String name, final String meaning, final String byDefault)
    {
        return shared(name, FILE, Path::of, meaning, byDefault);
    }

    /**
     * Declares a setting that only servers have.
     *
     * @param name      see {@link #name()}.
     * @param label     see {@link #label()}.
     * @param reader    see {@link #reader()}.
     * @param meaning   see {@link #meaning()}.
     * @param byDefault see {@link #byDefault()}.
     * @param <T>       type of the value.
     * @return the setting.
     */
    public static <T> Setting<T> ofServer(
        final String name,
        final String label,
        final ITypeConverter<T> reader,
        final String meaning,
        final String byDefault)
    {
        return new Setting<>(name, label, false, reader, List.of(), meaning, byDefault);
    }

    /**
     * Declares a file that only servers name.
     *
     * @param name    see {@link #name()}.
     * @param meaning see {@link #meaning()}.
     * @return the setting.
     */
    public static Setting<Path> fileOfServer(final String name, final String meaning)
    {
        return ofServer(name, FILE, Path::of, meaning, "none");
    }

    /**
     * Adds completion.
     *
     * @param values that completion offers.
     * @return the setting with them.
     */
    public Setting<T> completedBy(final String... values)
    {
        return new Setting<>(name, label, isShared, reader, List.of(values), meaning, byDefault);
    }

    /**
     * Changes the default.
     *
     * @param otherDefault see {@link #byDefault()}.
     * @return the setting with it.
     */
    public Setting<T> otherwise(final String otherDefault)
    {
        return new Setting<>(name, label, isShared, reader, words, meaning, otherDefault);
    }

    /**
     * Names the option.
     *
     * @return its name, with the dashes.
     */
    public String option()
    {
        return "--" + name;
    }

    /**
     * Names the environment variable that stands in for the option.
     *
     * @return its name.
     */
    public String variable()
    {
        return Variables.of(isShared ? option() : "--server-" + name);
    }

    /**
     * Whether the option is a flag.
     *
     * @return whether it has no value.
     */
    public boolean isFlag()
    {
        return label.isEmpty();
    }

    /**
     * Makes a new option, which holds the value given on a command line.
     *
     * @return the option.
     */
    public OptionSpec newOption()
    {
        final OptionSpec.Builder builder = OptionSpec.builder(option()).description(help());
        if (isFlag())
        {
            return builder.type(boolean.class).arity("0").build();
        }
        builder.paramLabel(label).type(FILE.equals(label) ? Path.class : Object.class).converters(reader);
        return (words.isEmpty() ? builder : builder.completionCandidates(words)).build();
    }

    private String help()
    {
        if (isFlag())
        {
            return meaning + "; also if " + variable() + " is set.";
        }
        return meaning + (isShared ? "; else " + variable() + ", else " : "; default ") + byDefault + ".";
    }

    /**
     * Reads a value.
     *
     * @param text  of the value.
     * @param place that it comes from, for the message.
     * @return the value.
     * @throws BrokenSettingException if the setting cannot have it.
     */
    public T read(final String text, final String place)
    {
        try
        {
            return reader.convert(text);
        }
        catch (final TypeConversionException e)
        {
            throw new BrokenSettingException(place, e.getMessage());
        }
        catch (final Exception e)
        {
            throw new BrokenSettingException(place, "cannot be '" + text + "': " + e.getMessage());
        }
    }
}
