package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command of kvctl. It knows its {@link Invocation} and nothing of the other commands.
 */
abstract class KvctlCommand implements Callable<Integer>
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
    abstract ExitCode run() throws IOException, InterruptedException;

    final CommandSpec spec()
    {
        return spec;
    }

    final Invocation invocation()
    {
        return (Invocation)spec.root().userObject();
    }

    final Surroundings surroundings()
    {
        return invocation().surroundings();
    }

    final boolean isVerbose()
    {
        return invocation().isVerbose();
    }

    /** Such as {@code kvctl get}, and in the shell {@code get}. */
    final String name()
    {
        return spec.qualifiedName().strip();
    }

    /** The arguments of the whole command line, as they were typed. */
    final List<String> arguments()
    {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    /** Standard output. */
    final StandardOutput output()
    {
        return new StandardOutput(surroundings().out());
    }

    /** Writes to standard output. */
    final void print(final String text) throws IOException
    {
        output().write(text.getBytes(UTF_8));
    }

    /** Says something on standard error that is no failure of the whole command. */
    final void tell(final String message)
    {
        surroundings().err().println(name() + ": " + Text.oneLine(message));
    }

    /** Shows on a terminal how far the command is. */
    final ProgressBar progress(final String verb, final long length)
    {
        return new ProgressBar(surroundings().err(), surroundings().errIsTerminal(), verb, length);
    }
}
