package org.onesided.tools.kvctl.command;

import java.io.IOException;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import picocli.CommandLine.Option;

/**
 * What a command has that changes things: it says on standard output what it did only where it is asked to.
 */
public final class DoneOption
{
    @Option(
        names = {"-o", OutputOption.NAME},
        paramLabel = "plain|table|json",
        converter = OutputOption.Form.class,
        completionCandidates = OutputOption.Outputs.class,
        description = "Say on standard output what was done, in this form; else KVCTL_OUTPUT, else nothing is said.")
    private OutputForm form;

    /**
     * Null if nothing is to be said.
     *
     * @return the form, or null.
     */
    public OutputForm form()
    {
        return form;
    }

    /**
     * Says what was done, if that was asked for.
     *
     * @param done    what to say.
     * @param command that did it.
     * @throws IOException if it cannot be written.
     */
    public void print(final Figures done, final KvctlCommand command) throws IOException
    {
        if (form != null)
        {
            command.print(done.text(form));
        }
    }
}
