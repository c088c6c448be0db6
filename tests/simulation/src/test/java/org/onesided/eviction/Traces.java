package org.onesided.eviction;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.tukaani.xz.XZInputStream;

/** The real traces in the jar of Caffeine's simulator. */
final class Traces
{
    private static final String FOLDER = "com/github/benmanes/caffeine/cache/simulator/parser/";

    private final Path jar;

    Traces(final Path jar)
    {
        this.jar = jar;
    }

    /** The first lookups of a trace, at most so many. */
    Trace read(final RealTrace trace, final int most) throws IOException
    {
        try (ZipFile zip = new ZipFile(jar.toFile()))
        {
            final ZipEntry entry = zip.getEntry(FOLDER + trace.file);
            if (entry == null)
            {
                throw new IOException("the jar lacks a trace: jar=" + jar + " trace=" + trace.file);
            }
            try (InputStream in = unpack(trace, zip.getInputStream(entry)))
            {
                return read(trace, in, most);
            }
        }
    }

    private static InputStream unpack(final RealTrace trace, final InputStream packed) throws IOException
    {
        final InputStream in = trace.file.endsWith(".xz") ? new XZInputStream(packed) : new GZIPInputStream(packed);
        return new BufferedInputStream(in, 1 << 16);
    }

    private static Trace read(final RealTrace trace, final InputStream in, final int most) throws IOException
    {
        final Numbering numbering = new Numbering();
        final DataInputStream data = new DataInputStream(in);
        int[] keys = new int[1 << 16];
        int count = 0;
        try
        {
            while (count < most)
            {
                final long key = switch (trace.format)
                {
                    case INTS -> data.readInt();
                    case LONGS -> data.readLong();
                    case LINES -> readLine(in);
                };
                if (count == keys.length)
                {
                    keys = Arrays.copyOf(keys, 2 * count);
                }
                keys[count++] = numbering.number(key);
            }
        }
        catch (final EOFException e)
        {
            // The trace is shorter.
        }
        return Trace.ofEqualRecords(trace.toString(), Arrays.copyOf(keys, count), numbering.count());
    }

    /** The hash of the next line that is not empty and no mark. */
    private static long readLine(final InputStream in) throws IOException
    {
        while (true)
        {
            long hash = 0;
            int read = 0;
            int c = in.read();
            if (c < 0)
            {
                throw new EOFException();
            }
            while (c >= 0 && c != '\n')
            {
                if (c > ' ' && c != '*')
                {
                    hash = Mix.mix(Randomness.STEP + (hash ^ c));
                    read++;
                }
                c = in.read();
            }
            if (read > 0)
            {
                return hash;
            }
        }
    }
}
