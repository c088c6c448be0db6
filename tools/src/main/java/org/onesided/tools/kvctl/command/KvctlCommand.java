package org.onesided.tools.kvctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.console.StandardOutput;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command of kvctl. It depends on its {@link Invocation}, not on other commands.
 */
public abstract class KvctlCommand implements Callable<Integer>
{
    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Override
    public final Integer call() throws IOException, InterruptedException
    {
        return run().code();
    }

    /** Executes the command. */
    protected abstract ExitCode run() throws IOException, InterruptedException;

    protected final CommandSpec spec()
    {
        return spec;
    }

    protected final Invocation invocation()
    {
        return (Invocation)spec.root().userObject();
    }

    protected final Surroundings surroundings()
    {
        return invocation().surroundings();
    }

    protected final boolean isVerbose()
    {
        return invocation().isVerbose();
    }

    /** Its name, such as {@code kvctl get}; in the shell, {@code get}. */
    protected final String name()
    {
        return spec.qualifiedName().strip();
    }

    /** The arguments of the whole command line, as typed. */
    protected final List<String> arguments()
    {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    /** The version of the build; empty if the tools are not packaged. */
    protected static String version()
    {
        return Objects.requireNonNullElse(KvctlCommand.class.getPackage().getImplementationVersion(), "");
    }

    /** Standard output. */
    protected final StandardOutput output()
    {
        return new StandardOutput(surroundings().out());
    }

    /** Writes to standard output. */
    protected final void print(final String text) throws IOException
    {
        output().write(text.getBytes(UTF_8));
    }

    /** Prints a line on standard error that does not end the command. */
    protected final void tell(final String message)
    {
        surroundings().err().println(name() + ": " + Text.oneLine(message));
    }

    /** Shows the progress of the command on a terminal. */
    protected final ProgressBar progress(final String verb, final long length)
    {
        return new ProgressBar(surroundings().err(), surroundings().errIsTerminal(), verb, length);
    }
}
