package org.onesided.tools.kvctl.command;

import java.io.IOException;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import picocli.CommandLine.Option;

/**
 * The output option of commands that change data: they print nothing on standard output without it.
 */
public final class DoneOption
{
    @Option(
        names = {"-o", OutputOption.NAME},
        paramLabel = "plain|table|json",
        description = "Print the result on standard output, in this form; else KVCTL_OUTPUT, else no result.")
    private OutputForm form;

    /**
     * The form, or null to print nothing.
     *
     * @return the form, or null.
     */
    public OutputForm form()
    {
        return form;
    }

    /**
     * Prints the result, if a form was given.
     *
     * @param done    to print.
     * @param command that prints it.
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
