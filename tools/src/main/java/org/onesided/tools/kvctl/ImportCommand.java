package org.onesided.tools.kvctl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.onesided.client.ServerInfo;
import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.pairs.BrokenLineException;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.kvctl.pairs.PairLimits;
import org.onesided.tools.kvctl.pairs.PairReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl import}.
 */
@Command(
    name = "import",
    description = "Put all pairs of a file, in its order.",
    footer = {
        "",
        "tsv:   KEY<tab>VALUE, with \\t \\n \\\\ and \\xHH for any byte.",
        "jsonl: {\"key\":\"...\",\"value\":\"...\"}; key64 and value64 hold base64",
        "       of bytes that are not UTF-8.",
        "",
        "Examples:",
        "  kvctl import pairs.tsv",
        "  zcat pairs.jsonl.gz | kvctl import --format jsonl -",
    })
final class ImportCommand extends ClientCommand
{
    static final String STANDARD_STREAM = "-";

    @Parameters(paramLabel = "FILE|-", description = "File of pairs, or - for standard input.")
    private String file;

    @Option(
        names = "--format",
        paramLabel = "tsv|jsonl",
        description = "Form of the file. Default: jsonl if its name ends in .jsonl, .ndjson or .json, else tsv.")
    private PairFormat format;

    @Option(
        names = "--keep-going",
        description = "Name broken lines and go on with the next, instead of ending at the first.")
    private boolean isKeepGoing;

    private final ImportBatch batch = new ImportBatch();
    private long imported;
    private long bytesImported;
    private long broken;

    @Override
    ExitCode run() throws IOException
    {
        final PairFormat form = format != null ? format : PairFormat.ofFileName(file);
        try (InputStream input = open(); StoreClient client = connect())
        {
            final ServerInfo server = client.server();
            final PairReader reader = form.reader(
                new EagerInput(input, () -> put(client, server.tableId())),
                new PairLimits(server.maxKeyLength(), server.maxValueLength()));
            try (ProgressBar progress = newProgressBar())
            {
                putAll(reader, client, server.tableId(), progress);
            }
        }
        surroundings().err().println("kvctl import: " + Text.count(imported, "pair") + " imported, " +
            Text.size(bytesImported) + (broken == 0 ? "" : "; " + Text.count(broken, "line") + " broken"));
        return broken == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void putAll(
        final PairReader reader, final StoreClient client, final long tableId, final ProgressBar progress)
    {
        while (true)
        {
            try
            {
                if (!reader.next())
                {
                    put(client, tableId);
                    return;
                }
                batch.add(reader.key(), reader.value(), reader.line());
                if (batch.isFull())
                {
                    put(client, tableId);
                    progress.update(reader.bytesRead(), imported);
                }
            }
            catch (final BrokenLineException e)
            {
                put(client, tableId);
                broken++;
                final String message = name() + ":" + e.line() + ": " + e.getMessage();
                if (!isKeepGoing)
                {
                    throw new CommandException(
                        ExitCode.FAILED, message + "; " + soFar() + ", --keep-going goes on behind such lines", e);
                }
                progress.clear();
                surroundings().err().println("kvctl import: " + Text.oneLine(message));
            }
            catch (final IOException e)
            {
                put(client, tableId);
                throw new CommandException(ExitCode.FAILED,
                    "cannot read " + name() + ": " + FileMessages.reason(e) + "; " + soFar(), e);
            }
        }
    }

    /** Puts what was read. */
    private void put(final StoreClient client, final long tableId)
    {
        if (batch.isEmpty())
        {
            return;
        }
        final long line = batch.lastLine();
        try
        {
            batch.put(client);
        }
        catch (final ImportBatch.PutException e)
        {
            imported += batch.applied();
            throw new CommandException(Failures.exitCode(e.reason()),
                name() + ":" + e.line() + ": " + e.getMessage() + "; " + soFar(), e);
        }
        if (client.server().tableId() != tableId)
        {
            throw new CommandException(ExitCode.FAILED,
                name() + ":" + line + ": the server was started anew, and its table began empty: " +
                    Text.count(imported, "pair") + " imported before are lost, import all again");
        }
        imported += batch.applied();
        bytesImported += batch.bytesApplied();
    }

    private ProgressBar newProgressBar() throws IOException
    {
        return new ProgressBar(surroundings().err(), surroundings().errIsTerminal(), "importing", length());
    }

    private String soFar()
    {
        return Text.count(imported, "pair") + " imported before";
    }

    private boolean isStandardInput()
    {
        return STANDARD_STREAM.equals(file);
    }

    private String name()
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
            final Path path = Path.of(file);
            if (Files.isDirectory(path))
            {
                throw new CommandException(ExitCode.FAILED, "cannot read " + file + ": it is a directory");
            }
            return Files.newInputStream(path);
        }
        catch (final IOException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "cannot read " + file + ": " + FileMessages.reason(e), e);
        }
    }

    /** Length of the input in bytes, -1 if it is not known. */
    private long length() throws IOException
    {
        return isStandardInput() || !Files.isRegularFile(Path.of(file)) ? -1 : Files.size(Path.of(file));
    }
}
