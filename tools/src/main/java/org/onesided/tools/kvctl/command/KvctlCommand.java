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
 * A command of kvctl. It knows its {@link Invocation} and nothing of the other commands.
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

    /** Does what the command is for. */
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

    /** Such as {@code kvctl get}, and in the shell {@code get}. */
    protected final String name()
    {
        return spec.qualifiedName().strip();
    }

    /** The arguments of the whole command line, as they were typed. */
    protected final List<String> arguments()
    {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    /** What the tools were built from, empty if they are not packaged. */
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

    /** Says something on standard error that is no failure of the whole command. */
    protected final void tell(final String message)
    {
        surroundings().err().println(name() + ": " + Text.oneLine(message));
    }

    /** Shows on a terminal how far the command is. */
    protected final ProgressBar progress(final String verb, final long length)
    {
        return new ProgressBar(surroundings().err(), surroundings().errIsTerminal(), verb, length);
    }
}
