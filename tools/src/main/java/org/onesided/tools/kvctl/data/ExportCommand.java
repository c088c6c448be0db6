package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ScannedEntry;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.OutputFile;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.pairs.PairEncodings;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.text.Amounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code kvctl export}.
 */
@Command(
    name = "export",
    description = "Write all pairs to a file, or those with a prefix, in no particular order.",
    footer = {
        "",
        "Other clients may write meanwhile: each pair existed at some moment during the export. The file is " +
            "created or replaced once it is complete. The formats are those of kvctl import; on standard output, " +
            "-o json and -o plain stand for jsonl and tsv. A version is a further column, version=VERSION, or a " +
            "field, version; a time of expiry is a column, expires=MILLISECONDS since 1970, or a field, expires. " +
            "-o table has a column for each.",
        "",
        "Examples:",
        "  kvctl export --format jsonl | gzip > pairs.jsonl.gz",
        "  kvctl export --prefix user: --limit 10",
    })
public final class ExportCommand extends ClientCommand
{
    @Parameters(
        paramLabel = "FILE|-",
        arity = "0..1",
        defaultValue = ImportCommand.STANDARD_STREAM,
        description = "File to write, or - for standard output; default -.")
    private Path path;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private FormatOption format;

    @Option(
        names = {"-o", OutputOption.NAME},
        paramLabel = "plain|table|json",
        description = "Form of the pairs on standard output, unless --format is given; with a FILE, form of the " +
            "result on standard output; else KVCTL_OUTPUT, else plain, and no result.")
    private OutputForm output;

    @Option(
        names = "--versions",
        description = "Also write the version of each value, for kvctl put --if-version.")
    private boolean hasVersions;

    @Option(
        names = "--expiries",
        description = "Also write when keys expire, which kvctl import then gives them.")
    private boolean hasExpiries;

    @Option(
        names = "--prefix",
        paramLabel = "TEXT",
        defaultValue = "",
        description = "Only pairs whose keys begin with this text, which is written as keys are. All pairs are read " +
            "nevertheless.")
    private String prefix;

    @Option(
        names = "--limit",
        paramLabel = "N",
        converter = PairCount.class,
        description = "At most so many pairs, at least 1; the rest is not read.")
    private Long limit;

    private String file;
    private byte[] prefixBytes;
    private PairEncodings encodings;
    private long exported;
    private long bytesExported;

    /** A number of pairs. */
    static final class PairCount implements ITypeConverter<Long>
    {
        @Override
        public Long convert(final String text)
        {
            final long count = Long.parseLong(text);
            if (count < 1)
            {
                throw new TypeConversionException("must be at least 1: " + text);
            }
            return count;
        }
    }

    @Override
    protected ExitCode run() throws IOException
    {
        file = path.toString();
        prefixBytes = keys.prefix(prefix);
        encodings = new PairEncodings(keys.encoding(), values.encoding());
        final boolean isStandardOutput = ImportCommand.STANDARD_STREAM.equals(file);
        try (ConnectedClient connected = connect())
        {
            if (isStandardOutput)
            {
                final OutputStream out = output();
                final PairPrinter printer = format.given() != null ?
                    new PairPrinter(format.given(), out, encodings, hasVersions, hasExpiries) :
                    new PairPrinter(
                        output == null ? OutputForm.PLAIN : output, out, encodings, hasVersions, hasExpiries);
                writeAll(connected.client(), printer, !surroundings().outIsTerminal());
            }
            else
            {
                writeFile(connected.client(), format.of(file));
            }
        }
        if (isStandardOutput || output == null)
        {
            tell(Amounts.count(exported, "pair") + " exported, " + Amounts.size(bytesExported));
        }
        else
        {
            final Figures done = new Figures().add("pairs", exported).add("bytes", bytesExported);
            print(done.text(output));
        }
        return ExitCode.DONE;
    }

    private void writeFile(final StoreClient client, final PairFormat form)
    {
        try (OutputFile temporary = OutputFile.create(file))
        {
            writeAll(client, new PairPrinter(form, temporary.stream(), encodings, hasVersions, hasExpiries), true);
            temporary.complete();
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotWrite(file, e);
        }
        catch (final UncheckedIOException e)
        {
            throw FileMessages.cannotWrite(file, e.getCause());
        }
    }

    private void writeAll(final StoreClient client, final PairPrinter printer, final boolean isProgressShown)
        throws IOException
    {
        final boolean isShown = isProgressShown && surroundings().errIsTerminal();
        try (ProgressBar progress = new ProgressBar(surroundings().err(), isShown, "exporting", -1))
        {
            client.scanWhile(prefixBytes, entry ->
            {
                writePair(printer, entry, progress);
                return limit == null || exported < limit;
            });
        }
        printer.flush();
    }

    private void writePair(final PairPrinter printer, final ScannedEntry entry, final ProgressBar progress)
    {
        try
        {
            printer.print(
                bytes(entry.key()), bytes(entry.value()),
                hasVersions ? entry.version() : null, hasExpiries ? entry.expiry() : null);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        exported++;
        bytesExported += entry.key().capacity() + entry.value().capacity();
        progress.update(bytesExported, exported);
    }

    private static byte[] bytes(final DirectBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
