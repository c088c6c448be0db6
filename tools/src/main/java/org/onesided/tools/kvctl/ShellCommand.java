package org.onesided.tools.kvctl;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.shell.PipedShell;
import org.onesided.tools.kvctl.shell.TerminalShell;
import org.onesided.tools.settings.Variables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code kvctl shell}.
 */
@Command(
    name = "shell",
    description = "Type many commands over one connection, with history and completion.",
    footer = {
        "",
        "The shell has the commands of kvctl that look up and change keys; help lists them. Blanks separate words; " +
            "quotes and backslashes work as in other shells, and # begins a comment. A failed line prints one line, " +
            "and the shell continues. The history is in $XDG_STATE_HOME/kvctl/history, else " +
            "~/.local/state/kvctl/history; lines that begin with a blank are left out of it.",
        "",
        "Encodings hold for all lines that give no others.",
        "",
        "With piped input there is no prompt, failures name the number of their line, and the exit code is 1 if " +
            "a line failed.",
        "",
        "Examples:",
        "  kvctl shell",
        "  echo \"mget red green\" | kvctl shell",
    })
final class ShellCommand extends ClientCommand
{
    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Override
    protected ExitCode run() throws IOException
    {
        try (ConnectedClient connected = connect())
        {
            final ShellCommands commands =
                new ShellCommands(connected.client(), surroundings(), variables(), isVerbose());
            if (surroundings().inIsTerminal() && surroundings().outIsTerminal())
            {
                TerminalShell.run(connected.client().server().address() + "> ", history(), commands);
                return ExitCode.DONE;
            }
            return PipedShell.run(surroundings().in(), commands) == 0 ? ExitCode.DONE : ExitCode.FAILED;
        }
    }

    /** Variables that stand in for options of all lines. */
    private Map<String, String> variables()
    {
        final Map<String, String> variables = new HashMap<>();
        if (keys.isTyped())
        {
            variables.put(Variables.of(KeyEncodingOption.NAME), keys.encoding().toString());
        }
        if (values.isTyped())
        {
            variables.put(Variables.of(ValueEncodingOption.NAME), values.encoding().toString());
        }
        return variables;
    }

    private Path history()
    {
        final String state = surroundings().variable("XDG_STATE_HOME");
        final Path directory =
            state != null ? Path.of(state) : Path.of(System.getProperty("user.home"), ".local", "state");
        return directory.resolve("kvctl").resolve("history");
    }
}
