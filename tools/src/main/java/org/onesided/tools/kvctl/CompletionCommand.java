package org.onesided.tools.kvctl;

import java.io.IOException;
import org.onesided.tools.kvctl.command.Candidates;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.console.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code kvctl completion}.
 */
@Command(
    name = "completion",
    description = "Print a script that completes commands, options and their values in a shell.",
    footer = {
        "",
        "For every shell, add the first line to ~/.bashrc, or the second, after compinit, to ~/.zshrc.",
        "",
        "Examples:",
        "  source <(kvctl completion bash)",
        "  source <(kvctl completion zsh)",
    })
public final class CompletionCommand extends KvctlCommand
{
    @Parameters(
        paramLabel = "bash|zsh",
        converter = ShellName.class,
        completionCandidates = CompletionCommand.Shells.class,
        description = "The shell.")
    private String shell;

    @Override
    protected ExitCode run() throws IOException
    {
        final String script = AutoComplete.bash("kvctl", spec().parent().commandLine());
        print(script);
        return ExitCode.DONE;
    }

    /**
     * Refuses other shells.
     */
    static final class ShellName implements ITypeConverter<String>
    {
        @Override
        public String convert(final String text)
        {
            if (!new Shells().contains(text))
            {
                throw new TypeConversionException("must be bash or zsh: '" + text + "'");
            }
            return text;
        }
    }

    /** Shells with a script. Both get the same script, which starts bashcompinit first under zsh. */
    static final class Shells extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Shells()
        {
            super("bash", "zsh");
        }
    }
}
