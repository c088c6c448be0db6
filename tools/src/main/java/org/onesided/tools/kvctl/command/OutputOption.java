package org.onesided.tools.kvctl.command;

import java.util.function.Supplier;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import picocli.CommandLine.Option;

/**
 * The output option of commands that print data.
 */
public final class OutputOption
{
    /** The longest name of the option. */
    public static final String NAME = "--output";

    @Option(
        names = {"-o", NAME},
        paramLabel = "plain|table|json",
        description = "Form of the output; else KVCTL_OUTPUT, else plain for values and table for figures.")
    private OutputForm form;

    /**
     * The form of the output.
     *
     * @param otherwise default form.
     * @return the form to print in.
     */
    public OutputForm or(final OutputForm otherwise)
    {
        return form == null ? otherwise : form;
    }

    /**
     * Prints figures for programs, or a table for people, which is the default.
     *
     * @param figures for programs.
     * @param table for people.
     * @return the text in the chosen form.
     */
    public String text(final Figures figures, final Supplier<String> table)
    {
        return or(OutputForm.TABLE) == OutputForm.TABLE ? table.get() : figures.text(form);
    }
}
