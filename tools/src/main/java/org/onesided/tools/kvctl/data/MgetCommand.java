package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.console.StandardOutput;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.pairs.BrokenLineException;
import org.onesided.tools.kvctl.pairs.KeyReader;
import org.onesided.tools.kvctl.pairs.PairEncodings;
import org.onesided.tools.kvctl.pairs.PairLimits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl mget}.
 */
@Command(
    name = "mget",
    description = "Look up many keys, with their READs in flight together, and print the pairs in order.",
    footer = {
        "",
        "Prints a line per pair: KEY<tab>VALUE as in kvctl import, or JSON. Absent keys are named on standard error, " +
            "and have the value null in JSON; the exit code is then 3.",
        "",
        "Examples:",
        "  kvctl mget red green blue",
        "  cut -f 1 pairs.tsv | kvctl mget -o json -",
    })
public final class MgetCommand extends ClientCommand
{
    private static final String STANDARD_INPUT = "-";
    /** The values of a batch are in memory together. */
    private static final int MAX_BATCH = 256;

    @Parameters(
        paramLabel = "KEY|-",
        arity = "1..*",
        description = "1 to 4096 bytes each; or a lone - for the lines of standard input, with \\t, \\n, \\\\ and " +
            "\\xHH.")
    private List<String> words;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private OutputOption output;

    private final List<byte[]> batch = new ArrayList<>();
    private PairPrinter printer;
    private StoreClient client;
    private ProgressBar progress;
    private long present;
    private long missing;

    @Override
    protected ExitCode run() throws IOException
    {
        final boolean isStandardInput = words.size() == 1 && STANDARD_INPUT.equals(words.get(0));
        // Checks all keys before looking up the first.
        final List<byte[]> checked = new ArrayList<>();
        if (!isStandardInput)
        {
            words.forEach(word -> checked.add(keys.key(word)));
        }
        final OutputForm form = output.or(OutputForm.PLAIN);
        printer = new PairPrinter(
            form, new StandardOutput(surroundings().out()), new PairEncodings(keys.encoding(), values.encoding()));
        final boolean isProgressShown = surroundings().errIsTerminal() && !surroundings().outIsTerminal();
        try (ConnectedClient connected = connect();
            ProgressBar bar = new ProgressBar(surroundings().err(), isProgressShown, "looking up", -1))
        {
            client = connected.client();
            progress = bar;
            final ClientStatistics before = client.clientStatistics();
            if (isStandardInput)
            {
                lookUpLines();
            }
            else
            {
                for (final byte[] key : checked)
                {
                    add(key);
                }
            }
            lookUp();
            printer.flush();
            if (isVerbose())
            {
                tell(Text.reads(before, client.clientStatistics()));
            }
        }
        return missing == 0 ? ExitCode.DONE : ExitCode.NOT_FOUND;
    }

    private void lookUpLines() throws IOException
    {
        final ServerInfo server = client.server();
        final KeyReader reader = new KeyReader(
            new EagerInput(surroundings().in(), this::lookUpNow),
            new PairLimits(server.maxKeyLength(), server.maxValueLength()),
            keys.encoding());
        try
        {
            while (reader.next())
            {
                add(reader.key());
                progress.update(reader.bytesRead(), present + missing);
            }
        }
        catch (final BrokenLineException e)
        {
            lookUpNow();
            throw new CommandException(ExitCode.FAILED, "standard input:" + e.line() + ": " + e.getMessage(), e);
        }
        catch (final StandardOutput.ReaderGoneException e)
        {
            throw e;
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotRead("standard input", e);
        }
    }

    private void add(final byte[] key) throws IOException
    {
        batch.add(key);
        if (batch.size() == MAX_BATCH)
        {
            lookUp();
        }
    }

    /** Flushes before blocking on input, so that a user who types keys sees their values. */
    private void lookUpNow() throws IOException
    {
        lookUp();
        if (output.or(OutputForm.PLAIN) != OutputForm.TABLE)
        {
            printer.flush();
        }
    }

    private void lookUp() throws IOException
    {
        if (batch.isEmpty())
        {
            return;
        }
        final List<byte[]> found = client.getAll(batch);
        for (int i = 0; i < found.size(); i++)
        {
            if (found.get(i) == null)
            {
                missing++;
                progress.clear();
                tell("not found: " + keys.text(batch.get(i)));
                printer.printAbsent(batch.get(i));
            }
            else
            {
                present++;
                printer.print(batch.get(i), found.get(i));
            }
        }
        batch.clear();
    }
}
