package org.onesided.tools.kvctl.load;

import java.util.List;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;
import org.onesided.fuzz.ScratchFile;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.Text;
import picocli.CommandLine;

/**
 * A file of YCSB's properties, as {@code kvctl load -P} reads it.
 */
public final class WorkloadTarget implements FuzzTarget
{
    private final ScratchFile file = new ScratchFile();
    private final WorkloadOptions options =
        CommandLine.populateCommand(new WorkloadOptions(), "-P", file.path().toString());

    /**
     * For {@code ServiceLoader}.
     */
    public WorkloadTarget()
    {
    }

    @Override
    public String name()
    {
        return "workload";
    }

    @Override
    public List<String> words()
    {
        return List.of("=", "\n", "\\u", "\\u0000", "\\", "recordcount", "operationcount", "insertstart", "insertcount",
            "readproportion", "updateproportion", "insertproportion", "readmodifywriteproportion", "scanproportion",
            "requestdistribution", "zipfian", "latest", "uniform", "fieldcount", "fieldlength", "threadcount", "target",
            "maxexecutiontime", "dataintegrity", "zeropadding", "insertorder", "NaN", "Infinity", "1e308", "-1", "0",
            "9223372036854775807", "2147483647", "99999999999999999999");
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return (4L << 20) + 1_000L * inputLength;
    }

    @Override
    public void feed(final byte[] input) throws Exception
    {
        file.write(input);
        try
        {
            options.plan(new PropertyOptions());
            options.withoutEffect();
        }
        catch (final CommandException | IllegalArgumentException e)
        {
            Refusal.check(Text.oneLine(String.valueOf(e.getMessage())), e);
        }
    }

    @Override
    public void close()
    {
        file.close();
    }
}
