package org.onesided.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.onesided.tools.kvctl.pairs.BrokenLineException;
import org.onesided.tools.kvctl.pairs.ByteEncoding;
import org.onesided.tools.kvctl.pairs.PairEncodings;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.kvctl.pairs.PairLimits;
import org.onesided.tools.kvctl.pairs.PairReader;
import org.onesided.tools.kvctl.pairs.PairWriter;

/**
 * A file of pairs, as {@code kvctl import} reads it. What is read must be within the limits, and the same after it was
 * written and read again.
 */
abstract class PairsTarget implements FuzzTarget
{
    static final PairLimits LIMITS = new PairLimits(64, 256);

    private final PairFormat format;

    PairsTarget(final PairFormat format)
    {
        this.format = format;
    }

    @Override
    public String name()
    {
        return "pairs-" + format.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        // Each line of JSON has a parser and a decoder, with their buffers.
        return (1L << 20) + 40_000L * inputLength;
    }

    @Override
    public void feed(final byte[] input) throws Exception
    {
        feed(input, PairEncodings.USUAL);
        feed(input, new PairEncodings(ByteEncoding.HEX, ByteEncoding.BASE64));
    }

    private void feed(final byte[] input, final PairEncodings encodings) throws Exception
    {
        final PairReader reader = format.reader(new ByteArrayInputStream(input), LIMITS, encodings);
        long lines = 0;
        boolean isChecked = false;
        for (boolean isMore = true; isMore;)
        {
            try
            {
                isMore = reader.next();
                if (isMore)
                {
                    check(reader.key(), reader.value(), encodings, isChecked);
                    isChecked = true;
                }
            }
            catch (final BrokenLineException e)
            {
                Refusal.check(e);
                require(e.line() == lines + 1, "another line is said to be broken: line=" + e.line());
            }
            lines += isMore ? 1 : 0;
            require(reader.line() == lines, "lines are miscounted: line=" + reader.line() + " lines=" + lines);
        }
        require(reader.bytesRead() == input.length, "input is left: bytes=" + reader.bytesRead());
    }

    private void check(
        final byte[] key, final byte[] value, final PairEncodings encodings, final boolean isEnough)
        throws IOException, BrokenLineException
    {
        require(key.length >= 1 && key.length <= LIMITS.maxKeyLength(), "key beyond limits: " + key.length);
        require(value.length <= LIMITS.maxValueLength(), "value beyond limits: " + value.length);
        if (isEnough)
        {
            return;
        }
        final ByteArrayOutputStream written = new ByteArrayOutputStream();
        final PairWriter writer = format.writer(written, encodings);
        writer.write(key, value, null, null);
        writer.flush();
        final PairReader again =
            format.reader(new ByteArrayInputStream(written.toByteArray()), LIMITS, encodings);
        require(again.next() && Arrays.equals(key, again.key()) && Arrays.equals(value, again.value()),
            "another pair after it was written: " + written);
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }
}
