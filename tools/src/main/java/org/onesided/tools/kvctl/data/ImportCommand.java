package org.onesided.tools.kvctl.data;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.text.Amounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl import}.
 */
@Command(
    name = "import",
    description = "Put all pairs of a file, in order.",
    footer = {
        "",
        "tsv:   KEY<tab>VALUE, with \\t \\n \\\\ and \\xHH for any byte.",
        "jsonl: {\"key\":\"...\",\"value\":\"...\"}; key64 and value64 hold base64",
        "       of bytes that are not UTF-8; key_hex, key_escaped and so on are",
        "       read, too. The options for encodings are of tsv.",
        "",
        "Versions, which kvctl export --versions writes, are ignored: each pair that is put gets a new one. Times of " +
            "expiry, which kvctl export --expiries writes, are kept; a pair whose time is over by the server's clock " +
            "is not put, and its key is absent then. A pair without a time gets that of --ttl, or else the server's " +
            "--default-ttl.",
        "",
        "The result is printed on standard error, or with -o on standard output.",
        "",
        "Examples:",
        "  kvctl import pairs.tsv",
        "  zcat pairs.jsonl.gz | kvctl import --format jsonl -",
    })
public final class ImportCommand extends ClientCommand
{
    static final String STANDARD_STREAM = "-";

    @Parameters(paramLabel = "FILE|-", description = "File of pairs, or - for standard input.")
    private Path path;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private FormatOption format;

    @Option(
        names = "--keep-going",
        description = "Name broken lines and go on with the next, instead of ending at the first.")
    private boolean isKeepGoing;

    @Mixin
    private TtlOption ttl;

    @Mixin
    private DoneOption output;

    private String file;

    @Override
    protected ExitCode run() throws IOException
    {
        file = path.toString();
        final PairFormat form = format.of(file);
        try (InputStream input = open();
            ConnectedClient connected = connectToPut();
            ProgressBar progress = progress("importing", length());
            PairImport pairs = new PairImport(
                connected.client(), PairSource.of(input, inputName(), form, keys, values), ttl.or(null), progress,
                isKeepGoing ? this::tell : null))
        {
            final StopHook stop = StopHook.telling(() -> progress.end(name() + ": " + pairs.stopped()));
            try
            {
                pairs.run();
            }
            finally
            {
                stop.close();
            }
            progress.clear();
            tell(pairs);
            return pairs.brokenLines() == 0 ? ExitCode.DONE : ExitCode.FAILED;
        }
    }

    private void tell(final PairImport pairs) throws IOException
    {
        if (output.form() == null)
        {
            tell(Amounts.count(pairs.imported(), "pair") + " imported, " + Amounts.size(pairs.bytesImported()) +
                (pairs.expired() == 0 ? "" : "; " + Amounts.count(pairs.expired()) + " expired, not imported") +
                (pairs.brokenLines() == 0 ? "" : "; " + Amounts.count(pairs.brokenLines(), "line") + " broken"));
        }
        output.print(
            new Figures()
                .add("pairs", pairs.imported())
                .add("bytes", pairs.bytesImported())
                .add("expired", pairs.expired())
                .add("broken_lines", pairs.brokenLines()),
            this);
    }

    private boolean isStandardInput()
    {
        return STANDARD_STREAM.equals(file);
    }

    private String inputName()
    {
        return isStandardInput() ? "standard input" : file;
    }

    private InputStream open()
    {
        if (isStandardInput())
        {
            return surroundings().in();
        }
        try
        {
            if (Files.isDirectory(path))
            {
                throw new CommandException(ExitCode.FAILED, "cannot read " + file + ": it is a directory");
            }
            // On older versions of Java, only FileInputStream reports how much a pipe has to read.
            return Files.isRegularFile(path) || !Files.exists(path) ?
                Files.newInputStream(path) : new FileInputStream(path.toFile());
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotRead(file, e);
        }
    }

    /** Length of the input in bytes; -1 if unknown. */
    private long length() throws IOException
    {
        return isStandardInput() || !Files.isRegularFile(path) ? -1 : Files.size(path);
    }
}
