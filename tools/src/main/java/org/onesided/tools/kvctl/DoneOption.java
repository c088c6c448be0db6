package org.onesided.tools.kvctl;

import java.io.IOException;
import picocli.CommandLine.Option;

/**
 * What a command has that changes things: it says on standard output what it did only where it is asked to.
 */
final class DoneOption
{
    @Option(
        names = {"-o", OutputOption.NAME},
        paramLabel = "plain|table|json",
        converter = OutputOption.Form.class,
        completionCandidates = Candidates.Outputs.class,
        description = "Say on standard output what was done, in this form; else KVCTL_OUTPUT, else nothing is said.")
    private OutputForm form;

    /** Null if nothing is to be said. */
    OutputForm form()
    {
        return form;
    }

    /** Says what was done, if that was asked for. */
    void print(final Figures done, final KvctlCommand command) throws IOException
    {
        if (form != null)
        {
            command.print(done.text(form));
        }
    }
}
