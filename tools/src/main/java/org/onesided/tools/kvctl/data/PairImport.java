package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.util.function.Consumer;
import org.onesided.client.StoreClient;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.ServerInfo;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.pairs.BrokenLineException;
import org.onesided.tools.kvctl.pairs.PairLimits;
import org.onesided.tools.kvctl.pairs.PairReader;
import org.onesided.tools.text.Amounts;

/**
 * Puts all pairs of an input, in order and in batches.
 */
final class PairImport
{
    private final StoreClient client;
    private final String name;
    private final PairReader reader;
    private final ProgressBar progress;
    private final Expiry expiry;
    private final Consumer<String> broken;
    private final ImportBatch batch = new ImportBatch();
    private final long tableId;
    private volatile long imported;
    private long bytesImported;
    private long expired;
    private long brokenLines;

    /**
     * @param client   to put with.
     * @param source   to read.
     * @param expiry   of keys whose line says none; null for that of a plain put.
     * @param progress to show.
     * @param broken   gets each line without a pair; null to end at the first.
     */
    PairImport(
        final StoreClient client,
        final PairSource source,
        final Expiry expiry,
        final ProgressBar progress,
        final Consumer<String> broken)
    {
        this.client = client;
        this.name = source.name();
        this.expiry = expiry;
        this.progress = progress;
        this.broken = broken;
        final ServerInfo server = client.server();
        tableId = server.tableId();
        reader = source.format().reader(
            new EagerInput(source.input(), this::put),
            new PairLimits(server.maxKeyLength(), server.maxValueLength()),
            source.encodings());
    }

    /** Puts all pairs; a {@link CommandException} names the place where it had to end. */
    void run()
    {
        while (true)
        {
            if (Thread.interrupted())
            {
                put();
                throw new CommandException(ExitCode.FAILED, "interrupted; " + soFar());
            }
            try
            {
                if (!reader.next())
                {
                    put();
                    return;
                }
                batch.add(
                    reader.key(), reader.value(), reader.expiry() == null ? expiry : reader.expiry(), reader.line());
                if (batch.isFull())
                {
                    put();
                }
            }
            catch (final BrokenLineException e)
            {
                put();
                tell(e);
            }
            catch (final IOException e)
            {
                put();
                throw new CommandException(ExitCode.FAILED,
                    "cannot read " + name + ": " + FileMessages.reason(e) + "; " + soFar(), e);
            }
        }
    }

    /** For a message when the process is told to stop; pairs may be in flight. */
    String stopped()
    {
        return "stopped; at least " + Amounts.count(imported, "pair") + " imported";
    }

    long imported()
    {
        return imported;
    }

    long bytesImported()
    {
        return bytesImported;
    }

    /** Pairs that were not put, since their time was over. */
    long expired()
    {
        return expired;
    }

    long brokenLines()
    {
        return brokenLines;
    }

    private void tell(final BrokenLineException e)
    {
        brokenLines++;
        final String message = name + ":" + e.line() + ": " + e.getMessage();
        if (broken == null)
        {
            throw new CommandException(ExitCode.FAILED,
                message + "; " + soFar() + ", kvctl import --keep-going goes on behind such lines", e);
        }
        progress.clear();
        broken.accept(message);
    }

    /** Puts the pairs read so far. */
    private void put()
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
                name + ":" + e.line() + ": " + e.getMessage() + "; " + soFar() + (batch.unknown() == 0 ? "" :
                    ", " + Amounts.count(batch.unknown(), "more pair") + " perhaps"), e);
        }
        if (client.server().tableId() != tableId)
        {
            throw new CommandException(ExitCode.FAILED,
                name + ":" + line + ": the server was restarted with an empty table: " +
                    Amounts.count(imported, "pair") + " imported before are lost, import all again");
        }
        imported += batch.applied();
        bytesImported += batch.bytesApplied();
        expired += batch.expired();
        progress.update(reader.bytesRead(), imported);
    }

    private String soFar()
    {
        return Amounts.count(imported, "pair") + " imported before";
    }
}
