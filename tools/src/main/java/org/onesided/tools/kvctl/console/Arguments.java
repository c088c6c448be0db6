package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.onesided.tools.kvctl.pairs.Escapes;

/**
 * The arguments as the bytes they were passed as. Java decodes them with the locale's charset and replaces what it
 * cannot decode; keys and values must stay unchanged.
 */
public final class Arguments
{
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final int MAX_SHOWN = 64;
    private static final List<String> ONLY_KEYS = List.of(
        "get", "delete", "getdel", "incr", "touch", "persist", "ttl", "mget", "export");
    private static final List<String> KEYS_AND_VALUES = List.of("put", "append", "mput");

    private Arguments()
    {
    }

    /**
     * Decodes the arguments of the process from UTF-8, regardless of the locale.
     *
     * @param arguments as Java passed them.
     * @return the same arguments, correctly decoded.
     */
    public static String[] ofProcess(final String[] arguments)
    {
        final byte[] commandLine;
        try
        {
            commandLine = Files.readAllBytes(COMMAND_LINE);
        }
        catch (final IOException e)
        {
            return refuseReplacements(arguments);
        }
        return decode(arguments, split(commandLine));
    }

    /**
     * The command line of this process without the program's own arguments; it starts the same program again.
     *
     * @param argumentCount number of the arguments of the program itself.
     * @return the command line before them.
     * @throws IOException if the kernel does not report it.
     */
    public static List<String> program(final int argumentCount) throws IOException
    {
        final List<byte[]> all = split(Files.readAllBytes(COMMAND_LINE));
        final List<String> program = new ArrayList<>();
        for (final byte[] word : all.subList(0, all.size() - argumentCount))
        {
            program.add(new String(word, UTF_8));
        }
        return program;
    }

    static String[] decode(final String[] arguments, final List<byte[]> commandLine)
    {
        final int offset = commandLine.size() - arguments.length;
        if (offset < 1)
        {
            return refuseReplacements(arguments);
        }
        final String[] decoded = new String[arguments.length];
        for (int i = 0; i < arguments.length; i++)
        {
            decoded[i] = decode(commandLine.get(offset + i), i + 1, arguments);
        }
        return decoded;
    }

    private static String decode(final byte[] argument, final int number, final String[] all)
    {
        try
        {
            return UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(argument))
                .toString();
        }
        catch (final CharacterCodingException e)
        {
            throw notText(number, hint(all, argument));
        }
    }

    /** Without the bytes, a replacement character indicates lost bytes. */
    private static String[] refuseReplacements(final String[] arguments)
    {
        for (int i = 0; i < arguments.length; i++)
        {
            if (arguments[i].indexOf('\uFFFD') >= 0)
            {
                throw notText(i + 1, hint(arguments, new byte[0]));
            }
        }
        return arguments;
    }

    private static CommandException notText(final int number, final String hint)
    {
        return new CommandException(ExitCode.USAGE, "argument " + number + " is not valid UTF-8" + hint);
    }

    /** How the command, if it is one that takes other bytes, is given them. */
    private static String hint(final String[] arguments, final byte[] argument)
    {
        final String written = argument.length == 0 ? "in escapes" :
            "as '" + Escapes.text(argument, MAX_SHOWN) + "'";
        for (final String command : arguments)
        {
            if (ONLY_KEYS.contains(command))
            {
                return "; write such a key " + written + " and add --key-encoding escaped: kvctl " + command + " " +
                    "--key-encoding escaped ...";
            }
            if (KEYS_AND_VALUES.contains(command))
            {
                return "; write it " + written + " and add --key-encoding escaped if it is a key, " +
                    "--value-encoding escaped if it is a value; or give a value on standard input: kvctl " + command +
                    ("mput".equals(command) ? " -" : " KEY -");
            }
        }
        return "";
    }

    static List<byte[]> split(final byte[] commandLine)
    {
        final List<byte[]> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < commandLine.length; i++)
        {
            if (commandLine[i] == 0)
            {
                words.add(Arrays.copyOfRange(commandLine, start, i));
                start = i + 1;
            }
        }
        return words;
    }
}
