package org.onesided.tools.kvctl;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Describes a wrong command line in one line: in the words of the help, with options as they were typed.
 */
final class UsageMessage
{
    private static final Pattern CHOICE =
        Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\) but was ('.*')", Pattern.DOTALL);
    private static final Pattern PAIR =
        Pattern.compile("(?: \\([^)]*\\))? should be in KEY=VALUE format but was (.*)", Pattern.DOTALL);

    private UsageMessage()
    {
    }

    /**
     * @param e         failure that picocli found.
     * @param arguments as they were typed.
     * @param defaults  know whether the wrong value comes from a variable.
     * @return the message.
     */
    static String of(final ParameterException e, final String[] arguments, final OptionDefaults defaults)
    {
        final List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
        if (e instanceof UnmatchedArgumentException && !((UnmatchedArgumentException)e).isUnknownOption())
        {
            final String first = ((UnmatchedArgumentException)e).getUnmatched().get(0);
            if (!e.getCommandLine().getSubcommands().isEmpty())
            {
                final String group = e.getCommandLine().getCommandSpec().qualifiedName().strip();
                return "no such command: " + first + Misnomers.hint(
                    first, e.getCommandLine().getSubcommands().keySet(), group.isEmpty() ? "" : group + ' ');
            }
            if ("get".equals(e.getCommandLine().getCommandName()))
            {
                return "one key only, kvctl mget takes many: '" + first + "'";
            }
        }
        final boolean isOfParameter =
            e instanceof MissingParameterException || e.getArgSpec() != null && e.getArgSpec().isPositional();
        if (isOfParameter && !unmatched.isEmpty() && unmatched.get(0).startsWith("-"))
        {
            // Picocli took what follows this option for something else, and says only what is wrong with that.
            return "unknown option: '" + unmatched.get(0) + "'";
        }
        final String message = inWords(asTyped(defaults.message(e), e, arguments));
        return message.startsWith("KVCTL_") ? message :
            message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    /** Names numbers and choices as the help does, not as Java does. */
    private static String inWords(final String message)
    {
        final String plain = message
            .replace("option option ", "option ")
            .replace("is not an int", "is not a whole number up to " + Integer.MAX_VALUE)
            .replace("is not a long", "is not a whole number of 64 bits")
            .replace("is not a double", "is not a number");
        final Matcher choice = CHOICE.matcher(plain);
        if (choice.find())
        {
            final String words = choice.group(1).toLowerCase(Locale.ROOT);
            final int last = words.lastIndexOf(", ");
            return plain.substring(0, choice.start()) + "must be " +
                (last < 0 ? words : words.substring(0, last) + " or " + words.substring(last + 2)) + ": " +
                choice.group(2);
        }
        final Matcher pair = PAIR.matcher(plain);
        return pair.find() ? plain.substring(0, pair.start()) + " must be NAME=VALUE: '" + pair.group(1) + "'" : plain;
    }

    /** Picocli always names the longest of an option's names. */
    private static String asTyped(final String message, final ParameterException e, final String[] arguments)
    {
        if (!(e.getArgSpec() instanceof OptionSpec option) || Arrays.stream(arguments).anyMatch(
            argument -> argument.equals(option.longestName()) || argument.startsWith(option.longestName() + '=')))
        {
            return message;
        }
        for (final String name : option.names())
        {
            final boolean isShort = !name.startsWith("--");
            if (Arrays.stream(arguments).anyMatch(argument -> isShort ? argument.startsWith(name) &&
                !argument.startsWith("--") : argument.equals(name) || argument.startsWith(name + '=')))
            {
                return message.replace("'" + option.longestName() + "'", "'" + name + "'");
            }
        }
        return message;
    }
}
