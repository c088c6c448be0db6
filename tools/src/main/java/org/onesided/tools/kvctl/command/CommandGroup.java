package org.onesided.tools.kvctl.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that only has others: by itself it shows its help.
 */
public abstract class CommandGroup implements Runnable
{
    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    /** Shows the help, as {@code --help} does. */
    @Override
    public void run()
    {
        final CommandLine command = spec.commandLine();
        final PrintWriter out = command.getOut();
        command.usage(out, command.getColorScheme());
        out.flush();
    }
}
