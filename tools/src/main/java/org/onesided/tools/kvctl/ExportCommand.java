package org.onesided.tools.kvctl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.kvctl.pairs.PairWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl export}.
 */
@Command(
    name = "export",
    description = "Write all pairs to a file, in no particular order.",
    footer = {
        "",
        "Other clients may write meanwhile: each pair is one that held at some moment. A file appears, or changes, " +
            "when all is written. The forms are those of kvctl import.",
        "",
        "Examples:",
        "  kvctl export pairs.tsv",
        "  kvctl export --format jsonl | gzip > pairs.jsonl.gz",
    })
final class ExportCommand extends ClientCommand
{
    @Parameters(
        paramLabel = "FILE|-",
        arity = "0..1",
        defaultValue = ImportCommand.STANDARD_STREAM,
        description = "File to write, or - for standard output; default -.")
    private Path path;

    @Option(
        names = "--format",
        paramLabel = "tsv|jsonl",
        completionCandidates = Candidates.Formats.class,
        description = "Form of the file. Default: jsonl if its name ends in .jsonl, .ndjson or .json, else tsv.")
    private PairFormat format;

    private String file;
    private long exported;
    private long bytesExported;

    @Override
    ExitCode run() throws IOException
    {
        file = path.toString();
        final PairFormat form = format != null ? format : PairFormat.ofFileName(file);
        try (ConnectedClient connected = connect())
        {
            final StoreClient client = connected.client();
            if (ImportCommand.STANDARD_STREAM.equals(file))
            {
                final PairWriter writer = form.writer(new StandardOutput(surroundings().out()));
                writeAll(client, writer, !surroundings().outIsTerminal());
            }
            else
            {
                writeFile(client, form);
            }
        }
        tell(Text.count(exported, "pair") + " exported, " + Text.size(bytesExported));
        return ExitCode.DONE;
    }

    private void writeFile(final StoreClient client, final PairFormat form)
    {
        try (OutputFile output = OutputFile.create(file))
        {
            writeAll(client, form.writer(output.stream()), true);
            output.complete();
        }
        catch (final IOException e)
        {
            throw cannotWrite(e);
        }
        catch (final UncheckedIOException e)
        {
            throw cannotWrite(e.getCause());
        }
    }

    private CommandException cannotWrite(final IOException e)
    {
        return new CommandException(ExitCode.FAILED, "cannot write " + file + ": " + FileMessages.reason(e), e);
    }

    private void writeAll(final StoreClient client, final PairWriter writer, final boolean isProgressShown)
        throws IOException
    {
        final boolean isShown = isProgressShown && surroundings().errIsTerminal();
        try (ProgressBar progress = new ProgressBar(surroundings().err(), isShown, "exporting", -1))
        {
            client.scan((key, value) -> writePair(writer, key, value, progress));
        }
        writer.flush();
    }

    private void writePair(
        final PairWriter writer, final DirectBuffer key, final DirectBuffer value, final ProgressBar progress)
    {
        try
        {
            writer.write(bytes(key), bytes(value));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        exported++;
        bytesExported += key.capacity() + value.capacity();
        progress.update(bytesExported, exported);
    }

    private static byte[] bytes(final DirectBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
