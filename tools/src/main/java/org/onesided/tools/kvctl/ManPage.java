package org.onesided.tools.kvctl;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes the manual page of a command as {@code man} reads it (roff with the macros of man(7)), from what the help
 * says. All options are in it.
 */
final class ManPage
{
    private static final String EXAMPLES = "Examples:";
    /** A line of a table has blanks between its columns. */
    private static final Pattern COLUMNS = Pattern.compile("\\S {3,}\\S");

    private final StringBuilder page = new StringBuilder();
    private final CommandSpec command;

    private ManPage(final CommandSpec command)
    {
        this.command = command;
    }

    /** Name of the page's file: {@code kvctl-get.1}. */
    static String fileName(final CommandSpec command)
    {
        return command.qualifiedName("-") + ".1";
    }

    /** Writes a page. */
    static String of(final CommandSpec command)
    {
        return new ManPage(command).write();
    }

    private String write()
    {
        final String name = command.qualifiedName("-");
        final String description = String.join(" ", command.usageMessage().description());
        line(".TH " + name.toUpperCase(Locale.ROOT) + " 1 \"\" \"onesided\" \"onesided\"");
        section("NAME");
        text(name + " - " + description);
        section("SYNOPSIS");
        line(".B " + escaped(command.qualifiedName()));
        text((command.options().isEmpty() ? "" : "[OPTIONS] ") + (command.subcommands().isEmpty() ?
            command.positionalParameters().stream().map(ArgSpec::paramLabel).collect(Collectors.joining(" ")) :
            "COMMAND"));
        section("DESCRIPTION");
        text(description);
        final List<String> footer = List.of(command.usageMessage().footer());
        final int examples = footer.indexOf(EXAMPLES);
        notes(footer.subList(0, examples < 0 ? footer.size() : examples));
        if (!command.subcommands().isEmpty())
        {
            section("COMMANDS");
            command.subcommands().forEach((each, line) ->
                item(each, String.join(" ", line.getCommandSpec().usageMessage().description())));
        }
        section("OPTIONS");
        command.positionalParameters().forEach(each -> item(each.paramLabel(), each));
        command.options().stream()
            .filter(option -> !option.hidden())
            .sorted(Comparator.comparing(OptionSpec::longestName))
            .forEach(option -> item(names(option), option));
        if (examples >= 0)
        {
            section("EXAMPLES");
            line(".nf");
            footer.subList(examples + 1, footer.size()).forEach(each -> line(escaped(each.strip())));
            line(".fi");
        }
        return page.toString();
    }

    private static String names(final OptionSpec option)
    {
        return String.join(", ", option.names()) + (option.arity().max() == 0 ? "" : " " + option.paramLabel());
    }

    private void item(final String name, final ArgSpec argument)
    {
        item(name, String.join(" ", argument.description()));
    }

    private void item(final String name, final String meaning)
    {
        line(".TP");
        line(".B " + escaped(name));
        text(meaning);
    }

    private void section(final String title)
    {
        line(".SH " + title);
    }

    /** Lines up to an empty one are a paragraph, which man breaks as it likes, or a table, which keeps its lines. */
    private void notes(final List<String> lines)
    {
        for (final String paragraph : String.join("\n", lines).strip().split("\n\n"))
        {
            if (paragraph.isEmpty())
            {
                continue;
            }
            line(".PP");
            if (COLUMNS.matcher(paragraph).find())
            {
                line(".nf");
                paragraph.lines().forEach(each -> line(escaped(each)));
                line(".fi");
            }
            else
            {
                text(paragraph.replace('\n', ' '));
            }
        }
    }

    private void text(final String text)
    {
        if (!text.isEmpty())
        {
            line(escaped(text));
        }
    }

    private void line(final String line)
    {
        page.append(line).append('\n');
    }

    /** A backslash begins an escape of roff, a dot or quote at the begin of a line a request; a dash would break. */
    private static String escaped(final String text)
    {
        final String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
