package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.OutputFile;
import org.onesided.tools.text.Amounts;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl man}.
 */
@Command(
    name = "man",
    description = "Print the manual page of a command, or install all of them for man.",
    footer = {
        "",
        "--install writes kvctl.1, kvctl-get.1 and so on. For root, the default directory is " +
            "/usr/local/share/man, for others ~/.local/share/man, which man searches if ~/.local/bin is on the PATH.",
        "",
        "Examples:",
        "  kvctl man --install && man kvctl-get",
        "  kvctl man cluster create | man -l -",
    })
public final class ManCommand extends KvctlCommand
{
    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Command whose page to print; default kvctl.")
    private List<String> words;

    @Option(names = "--install", description = "Write the pages of all commands to the directory for manuals.")
    private boolean isInstalling;

    @Option(names = "--directory", paramLabel = "DIR", description = "Directory for manuals, which has man1 in it.")
    private Path directory;

    @Override
    protected ExitCode run() throws IOException
    {
        final List<String> names = words == null ? List.of() : words;
        if (isInstalling ? !names.isEmpty() : directory != null)
        {
            throw new CommandException(ExitCode.USAGE, isInstalling ?
                "--install is of all pages: give no command with it" : "--directory is of --install: give both");
        }
        if (isInstalling)
        {
            install();
        }
        else
        {
            print(ManPage.of(find(names)));
        }
        return ExitCode.DONE;
    }

    private CommandSpec find(final List<String> names)
    {
        CommandLine found = spec().root().commandLine();
        for (final String name : names)
        {
            final CommandLine next = found.getSubcommands().get(name);
            if (next == null)
            {
                throw new CommandException(ExitCode.USAGE, "no such command: " + name + Misnomers.hint(
                    name, found.getSubcommands().keySet(), found.getCommandSpec().qualifiedName() + ' '));
            }
            found = next;
        }
        return found.getCommandSpec();
    }

    private void install()
    {
        final Path pages = (directory == null ? usual() : directory).resolve("man1");
        final List<CommandSpec> commands = new ArrayList<>();
        add(spec().root().commandLine(), commands);
        try
        {
            Files.createDirectories(pages);
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotWrite(pages.toString(), e);
        }
        for (final CommandSpec command : commands)
        {
            write(pages.resolve(ManPage.fileName(command)).toString(), ManPage.of(command));
        }
        tell(Amounts.count(commands.size(), "page") + " written to " + pages + ": man kvctl" +
            (directory == null ? "" : ", or man -M " + directory + " kvctl if man does not search there"));
    }

    private static void write(final String file, final String page)
    {
        try (OutputFile output = OutputFile.create(file))
        {
            output.stream().write(page.getBytes(UTF_8));
            output.complete();
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotWrite(file, e);
        }
    }

    private static Path usual()
    {
        return "root".equals(System.getProperty("user.name")) ? Path.of("/usr/local/share/man") :
            Path.of(System.getProperty("user.home"), ".local", "share", "man");
    }

    private static void add(final CommandLine command, final List<CommandSpec> all)
    {
        if (!"help".equals(command.getCommandName()))
        {
            all.add(command.getCommandSpec());
            command.getSubcommands().values().forEach(each -> add(each, all));
        }
    }
}
