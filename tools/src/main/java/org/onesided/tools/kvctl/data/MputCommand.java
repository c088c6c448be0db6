package org.onesided.tools.kvctl.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.text.Amounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl mput}.
 */
@Command(
    name = "mput",
    description = "Put many pairs, with their requests in flight together.",
    footer = {
        "",
        "This is not a transaction: on a failure, the message names the pair that could not be put and the number " +
            "that were. Standard input has the formats of kvctl import; a time in a line counts before --ttl.",
        "",
        "Examples:",
        "  kvctl mput red '#f00' green '#0f0' blue '#00f'",
        "  kvctl mget -o json red green | kvctl mput --format jsonl -",
    })
public final class MputCommand extends ClientCommand
{
    private static final String STANDARD_INPUT = "-";

    @Parameters(
        paramLabel = "KEY VALUE|-",
        arity = "1..*",
        description = "Keys of 1 to 4096 bytes, each with its value behind it; or a lone - for the lines of standard " +
            "input.")
    private List<String> words;

    @Option(
        names = "--format",
        paramLabel = "tsv|jsonl",
        description = "Form of standard input. Default: tsv.")
    private PairFormat format;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private TtlOption ttl;

    @Mixin
    private DoneOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        if (words.size() == 1 && STANDARD_INPUT.equals(words.get(0)))
        {
            putLines();
            return ExitCode.DONE;
        }
        if (words.size() % 2 != 0)
        {
            throw new CommandException(ExitCode.USAGE, "each key needs a value behind it; the last has none: key=" +
                Text.key(words.get(words.size() - 1).getBytes(UTF_8)));
        }
        if (format != null)
        {
            throw new CommandException(
                ExitCode.USAGE, "--format is of standard input: give -, and no pairs: pairs=" + words.size() / 2);
        }
        final ImportBatch batch = new ImportBatch();
        for (int i = 0; i < words.size(); i += 2)
        {
            batch.add(keys.key(words.get(i)), values.value(words.get(i + 1)), ttl.or(null), i / 2 + 1);
        }
        try (ConnectedClient connected = connect())
        {
            put(connected.client(), batch);
        }
        print(batch.applied(), batch.bytesApplied());
        return ExitCode.DONE;
    }

    private void print(final long pairs, final long bytes) throws IOException
    {
        output.print(new Figures().add("pairs", pairs).add("bytes", bytes), this);
    }

    private static void put(final StoreClient client, final ImportBatch batch)
    {
        try
        {
            batch.put(client);
        }
        catch (final ImportBatch.PutException e)
        {
            throw new CommandException(Failures.exitCode(e.reason()),
                "pair " + e.line() + ": " + e.getMessage() + "; " + Amounts.count(batch.applied(), "pair") + " put", e);
        }
    }

    private void putLines() throws IOException
    {
        try (ConnectedClient connected = connect();
            ProgressBar progress = progress("putting", -1))
        {
            final PairSource lines = PairSource.of(
                surroundings().in(), "standard input", format == null ? PairFormat.TSV : format, keys, values);
            try (PairImport pairs = new PairImport(connected.client(), lines, ttl.or(null), progress, null))
            {
                pairs.run();
                progress.clear();
                print(pairs.imported(), pairs.bytesImported());
            }
        }
    }
}
