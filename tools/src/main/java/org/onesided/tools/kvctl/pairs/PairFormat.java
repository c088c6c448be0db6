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
        public PairReader reader(final InputStream input, final PairLimits limits, final PairEncodings encodings)
        {
            return new TsvReader(new LineInput(input), limits, encodings);
        }

        @Override
        public PairWriter writer(final OutputStream output, final PairEncodings encodings)
        {
            return new TsvWriter(output, encodings);
        }
    },
    /** A JSON object per line; see {@link JsonLinesWriter}. */
    JSONL
    {
        @Override
        public PairReader reader(final InputStream input, final PairLimits limits, final PairEncodings encodings)
        {
            return new JsonLinesReader(new LineInput(input), limits);
        }

        @Override
        public PairWriter writer(final OutputStream output, final PairEncodings encodings)
        {
            return new JsonLinesWriter(output, encodings);
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
     * @param encodings of the keys and values; those of {@link #JSONL} are in the names of its fields.
     * @return a reader, which buffers.
     */
    public abstract PairReader reader(InputStream input, PairLimits limits, PairEncodings encodings);

    /**
     * @param output to write; the caller closes it.
     * @param encodings of the keys and values.
     * @return a writer, which buffers.
     */
    public abstract PairWriter writer(OutputStream output, PairEncodings encodings);
}
