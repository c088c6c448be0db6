package org.onesided.tools.kvctl.pairs;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;

/**
 * The formats of files with pairs.
 */
public enum PairFormat
{
    /** Key, tab, value; see {@link TsvWriter}. */
    TSV
    {
        @Override
        public PairReader reader(final InputStream input, final PairLimits limits)
        {
            return new TsvReader(new LineInput(input), limits);
        }

        @Override
        public PairWriter writer(final OutputStream output)
        {
            return new TsvWriter(output);
        }
    },
    /** A JSON object per line; see {@link JsonLinesWriter}. */
    JSONL
    {
        @Override
        public PairReader reader(final InputStream input, final PairLimits limits)
        {
            return new JsonLinesReader(new LineInput(input), limits);
        }

        @Override
        public PairWriter writer(final OutputStream output)
        {
            return new JsonLinesWriter(output);
        }
    };

    /** The name on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @param fileName whose suffix selects the format.
     * @return {@link #JSONL} for {@code .jsonl}, {@code .ndjson} and {@code .json}, else {@link #TSV}.
     */
    public static PairFormat ofFileName(final String fileName)
    {
        final String name = fileName.toLowerCase(Locale.ROOT);
        return name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json") ? JSONL : TSV;
    }

    /**
     * @param input  to read; the caller closes it.
     * @param limits of pairs; a pair beyond them is a broken line.
     * @return a reader, which buffers.
     */
    public abstract PairReader reader(InputStream input, PairLimits limits);

    /**
     * @param output to write; the caller closes it.
     * @return a writer, which buffers.
     */
    public abstract PairWriter writer(OutputStream output);
}
