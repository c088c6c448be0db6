package org.onesided.tools.kvctl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code kvctl completion}.
 */
@Command(
    name = "completion",
    description = "Print a script that completes commands, options and their values in a shell.",
    footer = {
        "",
        "To have it in every shell, add the first line to ~/.bashrc, or the second, behind compinit, to ~/.zshrc.",
        "",
        "Examples:",
        "  source <(kvctl completion bash)",
        "  source <(kvctl completion zsh)",
    })
final class CompletionCommand implements Callable<Integer>
{
    /** Shells there is a script for. */
    enum Shell
    {
        BASH,
        ZSH
    }

    @ParentCommand
    private Kvctl kvctl;

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "bash|zsh", description = "The shell.")
    private Shell shell;

    @Override
    public Integer call() throws IOException
    {
        // In zsh the same script starts bashcompinit first.
        final String script = AutoComplete.bash("kvctl", spec.parent().commandLine());
        new StandardOutput(kvctl.surroundings().out()).write(script.getBytes(StandardCharsets.UTF_8));
        return ExitCode.DONE.code();
    }
}
