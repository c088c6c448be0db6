package org.onesided.tools.kvctl;

import picocli.CommandLine.Option;

/**
 * What a command has that prints data.
 */
final class OutputOption
{
    static final String NAME = "--output";
    static final String VARIABLE = "KVCTL_OUTPUT";

    @Option(
        names = {"-o", NAME},
        paramLabel = "plain|table|json",
        description = "Form of what is printed; else KVCTL_OUTPUT, else plain for values and table for figures.")
    private OutputForm form;

    /**
     * @param otherwise if none is given.
     * @return the form to print in.
     */
    OutputForm or(final OutputForm otherwise)
    {
        return form == null ? otherwise : form;
    }
}
