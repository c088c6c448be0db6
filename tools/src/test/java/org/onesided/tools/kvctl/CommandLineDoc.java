package org.onesided.tools.kvctl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.server.ServerCommand;
import org.onesided.tools.settings.Variables;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes docs/command-line.md from what picocli knows of the commands.
 */
final class CommandLineDoc
{
    private static final Pattern VARIABLE = Pattern.compile("KVCTL_[A-Z_]+");
    /** What stands behind the meaning: the variables and the default, and sometimes another sentence. */
    private static final Pattern DEFAULT = Pattern.compile(
        "(.*?)[;.,] (?:also if .*?|(?:else KVCTL_.*?, )?(?:else|[Dd]efault:?) (.*?))\\.(?: (\\p{Lu}.*))?");

    private final StringBuilder page = new StringBuilder();
    private final List<CommandSpec> commands = CommandModel.all();

    static String page()
    {
        return new CommandLineDoc().write();
    }

    private String write()
    {
        final CommandSpec kvctl = commands.get(0);
        final List<String> shared = kvctl.options().stream().map(OptionSpec::longestName).toList();
        line("# Command line");
        line("");
        line("<!-- Written by CommandLineDocTest from the commands themselves; ./check says when it is stale. -->");
        line("");
        line("`kvctl COMMAND --help` tells the same and more, `--help-all` also what all commands with a connection " +
            "have. `kvctl man --install` installs manuals: `man kvctl-get`.");
        line("");
        line("## Commands");
        line("");
        line("| command | what it does |");
        line("|---|---|");
        commands.stream().skip(1).forEach(command -> line("| `" + command.qualifiedName() + "` | " +
            cell(String.join(" ", command.usageMessage().description())) + " |"));
        line("");
        line("## Options of all commands that talk to a server");
        line("");
        line("They may stand before the command or behind it. An option behind the command overrides one before it, " +
            "which overrides a variable, which overrides the default.");
        line("");
        options(kvctl.options(), List.of());
        for (final CommandSpec command : commands.subList(1, commands.size()))
        {
            own(command, shared);
        }
        line("");
        line("## Exit codes");
        line("");
        line("| code | name |");
        line("|---|---|");
        for (final ExitCode exitCode : ExitCode.values())
        {
            line("| " + exitCode.code() + " | " + exitCode.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " |");
        }
        line("| 130 | interrupted (Ctrl-C) |");
        return page.toString();
    }

    private void own(final CommandSpec command, final List<String> shared)
    {
        line("");
        line("## " + command.qualifiedName());
        line("");
        line(cell(String.join(" ", command.usageMessage().description())));
        line("");
        line("```sh");
        CommandModel.examples(command).forEach(this::line);
        line("```");
        final List<OptionSpec> own = command.options().stream()
            .filter(option -> !option.hidden() && (!shared.contains(option.longestName()) || isOwn(command, option)))
            .toList();
        if (!own.isEmpty() || !command.positionalParameters().isEmpty())
        {
            line("");
            options(own, command.positionalParameters());
        }
    }

    /** A server shows other certificates than clients do. */
    private static boolean isOwn(final CommandSpec command, final OptionSpec option)
    {
        return ServerCommand.NAME.equals(command.name()) && option.longestName().startsWith("--tls-");
    }

    private void options(final List<OptionSpec> options, final List<? extends ArgSpec> positional)
    {
        line("| option | variable | default | meaning |");
        line("|---|---|---|---|");
        positional.forEach(each -> row("`" + each.paramLabel() + "`", each));
        options.stream().sorted(Comparator.comparing(OptionSpec::longestName)).forEach(option ->
        {
            final List<String> names = new ArrayList<>(List.of(option.names()));
            final String value = option.arity().max() == 0 ? "" :
                option.arity().min() == 0 ? " [" + option.paramLabel() + "]" : " " + option.paramLabel();
            row(names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")) +
                (value.isEmpty() ? "" : " `" + value.strip() + "`"), option);
        });
    }

    private void row(final String name, final ArgSpec argument)
    {
        final String description = String.join(" ", argument.description());
        final String named = VARIABLE.matcher(description).results()
            .map(found -> "`" + found.group() + "`").distinct().collect(Collectors.joining(", "));
        final String variables = named.isEmpty() ? variable(argument) : named;
        final Matcher matcher = DEFAULT.matcher(description);
        final boolean hasDefault = matcher.matches();
        final String standard = hasDefault && matcher.group(2) != null ? matcher.group(2) : "";
        final String more = hasDefault && matcher.group(3) != null ? ' ' + matcher.group(3) : "";
        line("| " + cell(name) + " | " + variables + " | " + (VARIABLE.matcher(standard).find() ? "" : cell(standard)) +
            " | " + cell(hasDefault ? matcher.group(1) + '.' + more : description) + " |");
    }

    /** Of the server's own options, whose help does not name their variables. What is for one start only has none. */
    private static String variable(final ArgSpec argument)
    {
        return "server".equals(argument.command().name()) && argument.isOption() && argument.arity().max() > 0 ?
            "`" + Variables.of("--server" + ((OptionSpec)argument).longestName().substring(1)) + "`" : "";
    }

    private static String cell(final String text)
    {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }

    private void line(final String text)
    {
        page.append(text).append('\n');
    }
}
