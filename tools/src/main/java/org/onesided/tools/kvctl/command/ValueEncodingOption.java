package org.onesided.tools.kvctl.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Objects;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.pairs.ByteEncoding;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option of commands with values that says how values are written, so that they may be of any bytes where only
 * text fits.
 */
public final class ValueEncodingOption
{
    /** The name of the option. */
    public static final String NAME = "--value-encoding";

    private static final String STANDARD_INPUT = "-";

    @Option(
        names = NAME,
        paramLabel = "utf8|base64|hex|escaped",
        description = "How values are written, as arguments, on standard input, in lines and in the output; else " +
            "KVCTL_VALUE_ENCODING, else utf8: exactly their bytes.")
    private ByteEncoding encoding;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /**
     * The encoding of values.
     *
     * @return what was given, or the default.
     */
    public ByteEncoding encoding()
    {
        return Objects.requireNonNullElse(encoding, ByteEncoding.UTF8);
    }

    /**
     * Whether the option is on the command line; a variable can stand in for it.
     *
     * @return whether it is.
     */
    public boolean isTyped()
    {
        return command.commandLine().getParseResult().hasMatchedOption(NAME);
    }

    /**
     * Reads a value.
     *
     * @param argument as given on the command line.
     * @return its bytes.
     */
    public byte[] value(final String argument)
    {
        return KeyEncodingOption.bytes("value", argument, encoding());
    }

    /**
     * Reads a value, from standard input if the argument is a dash.
     *
     * @param argument     as given on the command line.
     * @param surroundings with standard input.
     * @param maxLength    most bytes of a value on standard input.
     * @param remedy       for a value that is longer.
     * @return its bytes.
     * @throws IOException if standard input cannot be read.
     */
    public byte[] value(
        final String argument, final Surroundings surroundings, final int maxLength, final String remedy)
        throws IOException
    {
        if (!STANDARD_INPUT.equals(argument))
        {
            return value(argument);
        }
        final int maxText = encoding().longestText(maxLength);
        final byte[] text;
        try
        {
            text = surroundings.in().readNBytes(maxText + 1);
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotRead("standard input", e);
        }
        final byte[] bytes = text.length > maxText ? text : decode(text);
        if (bytes.length > maxLength)
        {
            throw new CommandException(ExitCode.USAGE,
                "the value on standard input is too long; " + remedy + ": longest=" + maxLength);
        }
        return bytes;
    }

    private byte[] decode(final byte[] text)
    {
        final ByteEncoding chosen = encoding();
        if (chosen == ByteEncoding.UTF8)
        {
            return text;
        }
        try
        {
            return chosen.bytesOfLines(new String(text, chosen == ByteEncoding.ESCAPED ? UTF_8 : ISO_8859_1));
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, "the value on standard input " + e.getMessage());
        }
    }
}
