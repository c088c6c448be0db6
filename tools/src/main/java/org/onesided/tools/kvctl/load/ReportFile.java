package org.onesided.tools.kvctl.load;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.OutputFile;
import org.onesided.tools.load.report.ReportPage;
import org.onesided.tools.load.report.ReportRun;

/**
 * The file of a report.
 */
public final class ReportFile
{
    private final String name;

    private ReportFile(final String name)
    {
        this.name = name;
    }

    /**
     * Checks that the file can be written before the run starts. Creates nothing.
     *
     * @param name of the file, or null for none.
     * @return the file, or null for none.
     */
    public static ReportFile of(final String name)
    {
        if (name == null)
        {
            return null;
        }
        requireWritable(name);
        return new ReportFile(name);
    }

    /** Refuses a file that cannot be written. Creates nothing. */
    static void requireWritable(final String name)
    {
        try
        {
            OutputFile.create(name).close();
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotWrite(name, e);
        }
    }

    /**
     * Writes a page that shows the runs. The file is replaced once it is complete.
     *
     * @param runs to show.
     * @param tell gets a line that names the file.
     */
    public void write(final List<ReportRun> runs, final Consumer<String> tell)
    {
        try (OutputFile file = OutputFile.create(name))
        {
            ReportPage.write(runs, file.stream());
            file.complete();
            tell.accept("report written, open it in a browser: " + name);
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotWrite(name, e);
        }
    }
}
