package org.onesided.tools.kvctl.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.Surroundings;

/**
 * A value on the command line: text, or a dash for standard input.
 */
final class ValueArgument
{
    private static final String STANDARD_INPUT = "-";

    private ValueArgument()
    {
    }

    /** The bytes of a value. Throws with the remedy if standard input holds more than {@code maxLength} bytes. */
    static byte[] bytes(
        final String value, final Surroundings surroundings, final int maxLength, final String remedy)
        throws IOException
    {
        if (!STANDARD_INPUT.equals(value))
        {
            return value.getBytes(UTF_8);
        }
        final byte[] bytes;
        try
        {
            bytes = surroundings.in().readNBytes(maxLength + 1);
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotRead("standard input", e);
        }
        if (bytes.length > maxLength)
        {
            throw new CommandException(ExitCode.USAGE,
                "the value on standard input is too long; " + remedy + ": longest=" + maxLength);
        }
        return bytes;
    }
}
