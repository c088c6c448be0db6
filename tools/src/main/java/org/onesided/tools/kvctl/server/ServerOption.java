package org.onesided.tools.kvctl.server;

import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.onesided.server.ServerOptions;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option of {@code kvctl server}, declared once: from it come the flag and its help, the variable, the property and
 * the documentation of them all.
 *
 * @param spec   of the flag.
 * @param effect on the server, if the option is given.
 * @param <T>    type of its value.
 */
record ServerOption<T>(OptionSpec spec, BiConsumer<ServerOptions, T> effect)
{
    /**
     * @param name   of the flag.
     * @param label  of its value in the help.
     * @param reader of its value, which refuses what is out of range.
     * @param help   what it means, and behind "; default " what holds if it is not given.
     */
    static <T> ServerOption<T> of(
        final String name,
        final String label,
        final ITypeConverter<T> reader,
        final BiConsumer<ServerOptions, T> effect,
        final String help)
    {
        return new ServerOption<>(
            OptionSpec.builder(name).paramLabel(label).type(Object.class).converters(reader).description(help).build(),
            effect);
    }

    /** An option whose value the command looks up by itself. */
    static <T> ServerOption<T> of(
        final String name, final String label, final ITypeConverter<T> reader, final String help)
    {
        return of(name, label, reader, (options, value) -> { }, help);
    }

    /** A file that the command looks up by itself. */
    static ServerOption<Path> file(final String name, final String help)
    {
        return new ServerOption<>(
            OptionSpec.builder(name).paramLabel("FILE").type(Path.class).description(help).build(),
            (options, value) -> { });
    }

    /** What was given, null if nothing was. */
    T value()
    {
        return spec.getValue();
    }

    void applyTo(final ServerOptions options)
    {
        if (value() != null)
        {
            effect.accept(options, value());
        }
    }
}
