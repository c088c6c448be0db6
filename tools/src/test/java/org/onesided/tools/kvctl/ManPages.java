package org.onesided.tools.kvctl;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes the manual pages of all commands in AsciiDoc, for the build, which turns them into what {@code man} reads.
 */
public final class ManPages
{
    private static final String EXAMPLES = "Examples";
    private static final Pattern COLUMNS = Pattern.compile("\\S {3,}\\S");

    private ManPages()
    {
    }

    /**
     * @param arguments the directory for the pages, and the version.
     * @throws IOException if they cannot be written.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final List<CommandSpec> commands = CommandModel.all();
        commands.forEach(command -> prepare(command, arguments[1]));
        final int result = ManPageGenerator.generateManPage(
            new File(arguments[0]), null, new boolean[0], false, commands.get(0));
        if (result != 0)
        {
            throw new IllegalStateException("cannot write the manual pages: result=" + result);
        }
    }

    /** What stands below the options in the help becomes two sections: notes, and examples. */
    private static void prepare(final CommandSpec command, final String version)
    {
        command.versionProvider(null).version("kvctl " + version);
        command.removeSubcommand("help");
        final UsageMessageSpec usage = command.usageMessage();
        final List<String> notes = new ArrayList<>(List.of(usage.footer()));
        final int examples = notes.indexOf(EXAMPLES + ":");
        final List<String> footer = indented(notes.subList(1, Math.max(1, examples - 1)));
        usage.footerHeading(footer.isEmpty() ? EXAMPLES : "Notes");
        if (!footer.isEmpty())
        {
            footer.addAll(List.of("", "== " + EXAMPLES, ""));
        }
        footer.addAll(CommandModel.examples(command).stream().map(example -> "  " + example).toList());
        usage.footer(footer.toArray(String[]::new));
    }

    /** Paragraphs that are tables keep their columns if they are indented. */
    private static List<String> indented(final List<String> lines)
    {
        final List<String> indented = new ArrayList<>();
        for (final String paragraph : String.join("\n", lines).split("\n\n"))
        {
            final boolean isTable = COLUMNS.matcher(paragraph).find();
            if (!indented.isEmpty())
            {
                indented.add("");
            }
            paragraph.lines().forEach(line -> indented.add(isTable ? "  " + line : line));
        }
        return indented;
    }
}
