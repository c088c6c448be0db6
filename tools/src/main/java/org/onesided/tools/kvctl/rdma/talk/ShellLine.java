package org.onesided.tools.kvctl.rdma.talk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the shell.
 *
 * @param verb    to execute.
 * @param numbers its numbers, as many as the verb takes.
 * @param text    the rest of the line, if the verb takes text.
 */
record ShellLine(Verb verb, List<Long> numbers, String text)
{
    private static final Pattern NUMBER = Pattern.compile("(0x\\p{XDigit}{1,15}|\\d{1,18})([kKmM]?)");

    /**
     * Reads a line.
     *
     * @return the line; null if it is empty.
     * @throws IllegalArgumentException with a message in one line, if it cannot be executed.
     */
    static ShellLine parse(final String line)
    {
        final String trimmed = line.strip();
        if (trimmed.isEmpty() || trimmed.startsWith("#"))
        {
            return null;
        }
        final String[] words = trimmed.split("\\s+");
        final Verb verb = verb(words[0]);
        final int given = words.length - 1;
        if (given < verb.least || !verb.takesText && given > verb.most)
        {
            throw new IllegalArgumentException("write: " + verb.usage);
        }
        final List<Long> numbers = new ArrayList<>();
        for (int i = 1; i <= Math.min(given, verb.most); i++)
        {
            numbers.add(number(words[i]));
        }
        return new ShellLine(verb, numbers, verb.takesText ? trimmed.split("\\s+", verb.most + 2)[verb.most + 1] : "");
    }

    private static Verb verb(final String word)
    {
        final String name = word.toLowerCase(Locale.ROOT);
        for (final Verb verb : Verb.values())
        {
            if (verb.names.contains(name))
            {
                return verb;
            }
        }
        throw new IllegalArgumentException("no such command: " + word + ", see help");
    }

    private static long number(final String word)
    {
        final Matcher matcher = NUMBER.matcher(word);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("not a number: " + word + "; write one like 4096, 0x1000 or 4k");
        }
        final long value = Long.decode(decimal(matcher.group(1)));
        return switch (matcher.group(2))
        {
            case "k", "K" -> Math.multiplyExact(value, 1L << 10);
            case "m", "M" -> Math.multiplyExact(value, 1L << 20);
            default -> value;
        };
    }

    /** Leading zeros are removed: they would mean octal. */
    private static String decimal(final String digits)
    {
        return digits.startsWith("0x") ? digits : digits.replaceFirst("^0+(?=\\d)", "");
    }

    long number(final int index, final long otherwise)
    {
        return index < numbers.size() ? numbers.get(index) : otherwise;
    }

    /**
     * The verbs of the shell.
     */
    enum Verb
    {
        READ(3, 3, false, "read LOCAL REMOTE LENGTH", "RDMA READ from the peer's buffer into this one"),
        WRITE(3, 3, false, "write LOCAL REMOTE LENGTH", "RDMA WRITE from this buffer into the peer's"),
        SEND(2, 2, false, "send LOCAL LENGTH", "SEND; fills the oldest receive of the peer"),
        RECEIVE(2, 2, false, "receive LOCAL LENGTH", "post a receive, for one SEND of the peer", "recv"),
        SHOW(0, 2, false, "show [LOCAL [LENGTH]]", "show this buffer; 64 bytes by default"),
        SET(2, 1, true, "set LOCAL TEXT", "put text into this buffer"),
        FILL(3, 3, false, "fill LOCAL LENGTH BYTE", "put the same byte many times into this buffer"),
        WAIT(0, 1, false, "wait [SECONDS]", "wait until all posted requests have completed; 60 s by default"),
        INFO(0, 0, false, "info", "show the addresses of both sides and the outstanding requests"),
        HELP(0, 0, false, "help", "show this", "?"),
        QUIT(0, 0, false, "quit", "leave, as at the end of the input; piped input waits first", "exit");

        private final int least;
        private final int most;
        private final boolean takesText;
        private final String usage;
        private final String meaning;
        private final List<String> names;

        Verb(
            final int least,
            final int most,
            final boolean takesText,
            final String usage,
            final String meaning,
            final String... aliases)
        {
            this.least = least;
            this.most = most;
            this.takesText = takesText;
            this.usage = usage;
            this.meaning = meaning;
            names = new ArrayList<>(Arrays.asList(aliases));
            names.add(name().toLowerCase(Locale.ROOT));
        }

        /** A line of the help. */
        String help()
        {
            return String.format("  %-26s %s", usage, meaning);
        }
    }
}
