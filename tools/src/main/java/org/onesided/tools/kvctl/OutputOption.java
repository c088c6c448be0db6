package org.onesided.tools.kvctl;

import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
        converter = Form.class,
        completionCandidates = Candidates.Outputs.class,
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

    /** Figures for programs, or a table for people, which is the default. */
    String text(final Figures figures, final Supplier<String> table)
    {
        return or(OutputForm.TABLE) == OutputForm.TABLE ? table.get() : figures.text(form);
    }

    /**
     * Reads {@code plain}, {@code table} and {@code json}.
     */
    static final class Form implements ITypeConverter<OutputForm>
    {
        @Override
        public OutputForm convert(final String text)
        {
            return Stream.of(OutputForm.values())
                .filter(form -> form.toString().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("must be plain, table or json: '" + text + "'"));
        }
    }
}
