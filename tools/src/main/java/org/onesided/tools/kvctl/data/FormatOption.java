package org.onesided.tools.kvctl.data;

import org.onesided.tools.kvctl.pairs.PairFormat;
import picocli.CommandLine.Option;

/**
 * The format option of commands with a file of pairs.
 */
final class FormatOption
{
    @Option(
        names = "--format",
        paramLabel = "tsv|jsonl",
        description = "Form of the file. Default: jsonl if its name ends in .jsonl, .ndjson or .json, else tsv.")
    private PairFormat format;

    /** Null if the option was not given. */
    PairFormat given()
    {
        return format;
    }

    PairFormat of(final String fileName)
    {
        return format != null ? format : PairFormat.ofFileName(fileName);
    }
}
