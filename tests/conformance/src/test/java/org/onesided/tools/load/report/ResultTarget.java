package org.onesided.tools.load.report;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;

/**
 * A run's result in JSON, as {@code kvctl load compare} reads it, put beside itself and shown in all forms.
 */
public final class ResultTarget implements FuzzTarget
{
    /** Pages take long: one in so many is made. */
    private static final int PAGES = 8;

    /**
     * For {@code ServiceLoader}.
     */
    public ResultTarget()
    {
    }

    @Override
    public String name()
    {
        return "result";
    }

    @Override
    public int maxLength()
    {
        return 32 << 10;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return (4L << 20) + 2_000L * inputLength;
    }

    @Override
    public List<String> words()
    {
        return List.of("{", "}", "[", "]", "\"", ":", ",", "null", "true", "1e308", "-1", "1e999999999", "0.5",
            "99999999999999999999999999", "\\u0000", "\"phases\"", "\"operations\"", "\"curve\"", "</script>", "{}",
            "[]", "[[", "{\"a\":", "\"\"");
    }

    @Override
    public void feed(final byte[] input) throws Exception
    {
        final ReportRun run;
        try
        {
            run = ReportRun.parse("run", input);
            final Comparison comparison = Comparison.of(List.of(run, ReportRun.parse("again", input)));
            comparison.table();
            comparison.plain();
            comparison.json();
        }
        catch (final IllegalArgumentException e)
        {
            Refusal.check(e);
            return;
        }
        if (Arrays.hashCode(input) % PAGES != 0)
        {
            return;
        }
        final ByteArrayOutputStream page = new ByteArrayOutputStream();
        ReportPage.write(List.of(run), page);
    }
}
