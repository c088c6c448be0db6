package org.onesided.tools.kvctl.command;

import java.util.Objects;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.pairs.ByteEncoding;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option of commands with keys that says how keys are written, so that they may be of any bytes.
 */
public final class KeyEncodingOption
{
    /** The name of the option. */
    public static final String NAME = "--key-encoding";

    @Option(
        names = NAME,
        paramLabel = "utf8|base64|hex|escaped",
        description = "How keys are written, as arguments, in lines and in the output; escaped: with \\t, \\n, \\\\ " +
            "and \\xHH; else KVCTL_KEY_ENCODING, else utf8.")
    private ByteEncoding encoding;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /**
     * The encoding of keys.
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
     * Reads a key.
     *
     * @param argument as given on the command line.
     * @return its bytes, as many as a key may have.
     */
    public byte[] key(final String argument)
    {
        final byte[] key = bytes("key", argument, encoding());
        if (key.length == 0)
        {
            throw new CommandException(ExitCode.USAGE, "the key is empty: a key has 1 to 4096 bytes");
        }
        if (key.length > RecordDescriptor.MAX_KEY_LENGTH)
        {
            throw new CommandException(ExitCode.USAGE, "the key is too long: key=" + text(key) + " length=" +
                key.length + " longest=" + RecordDescriptor.MAX_KEY_LENGTH + "; use a shorter one, or a digest of it");
        }
        return key;
    }

    /**
     * Reads the first bytes of keys.
     *
     * @param argument as given on the command line.
     * @return its bytes, any number of them.
     */
    public byte[] prefix(final String argument)
    {
        return bytes("prefix", argument, encoding());
    }

    /**
     * Writes a key for people.
     *
     * @param key of any bytes.
     * @return text for a message, in the encoding.
     */
    public String text(final byte[] key)
    {
        return Text.key(key, encoding());
    }

    /** Decodes an argument; {@code what} it is begins the message if it cannot be decoded. */
    static byte[] bytes(final String what, final String argument, final ByteEncoding encoding)
    {
        try
        {
            return encoding.bytes(argument);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, "the " + what + " " + e.getMessage());
        }
    }
}
