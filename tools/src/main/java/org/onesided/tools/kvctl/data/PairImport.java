package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
import org.onesided.waiting.Interruptible;

/**
 * Puts all pairs of an input, in order and in batches: while a thread puts one, the caller's reads the next.
 */
final class PairImport implements AutoCloseable
{
    private static final long LONGEST_CLOSE_S = 10;

    private final StoreClient client;
    private final String name;
    private final PairReader reader;
    private final ProgressBar progress;
    private final Expiry expiry;
    private final Consumer<String> broken;
    private final ExecutorService putter = Executors.newSingleThreadExecutor(this::makeThread);
    private Thread putterThread;
    /** The batch that is being read, and the one that is being put or empty. */
    private ImportBatch batch = new ImportBatch();
    private ImportBatch sent = new ImportBatch();
    /** Of {@link #sent}, or null. */
    private Future<?> sending;
    private long sentLine;
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

    private Thread makeThread(final Runnable task)
    {
        putterThread = new Thread(task, "kvctl-import");
        putterThread.setDaemon(true);
        return putterThread;
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
                    send();
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

    /** Ends the putting thread; a batch that it is at fails. */
    @Override
    public void close()
    {
        putter.shutdownNow();
        Interruptible.await(() -> putter.awaitTermination(LONGEST_CLOSE_S, TimeUnit.SECONDS));
    }

    /** Puts the pairs read so far. */
    private void put()
    {
        send();
        awaitSent();
    }

    /** Begins to put the pairs read so far, when those before them are put. */
    private void send()
    {
        awaitSent();
        if (!batch.isEmpty())
        {
            final ImportBatch full = batch;
            batch = sent;
            sent = full;
            sentLine = full.lastLine();
            sending = putter.submit(() ->
            {
                full.put(client);
                return null;
            });
        }
    }

    private void awaitSent()
    {
        final Future<?> current = sending;
        if (current == null)
        {
            return;
        }
        sending = null;
        try
        {
            await(current);
        }
        catch (final ImportBatch.PutException e)
        {
            imported += sent.applied();
            throw new CommandException(Failures.exitCode(e.reason()),
                name + ":" + e.line() + ": " + e.getMessage() + "; " + soFar() + (sent.unknown() == 0 ? "" :
                    ", " + Amounts.count(sent.unknown(), "more pair") + " perhaps"), e);
        }
        if (client.server().tableId() != tableId)
        {
            throw new CommandException(ExitCode.FAILED,
                name + ":" + sentLine + ": the server was restarted with an empty table: " +
                    Amounts.count(imported, "pair") + " imported before are lost, import all again");
        }
        imported += sent.applied();
        bytesImported += sent.bytesApplied();
        expired += sent.expired();
        progress.update(reader.bytesRead(), imported);
    }

    /** Waits until a batch is put. If this thread is interrupted, the putting one is, too. */
    private void await(final Future<?> current) throws ImportBatch.PutException
    {
        boolean isInterrupted = false;
        try
        {
            while (true)
            {
                try
                {
                    current.get();
                    return;
                }
                catch (final InterruptedException e)
                {
                    isInterrupted = true;
                    putterThread.interrupt();
                }
            }
        }
        catch (final ExecutionException e)
        {
            if (e.getCause() instanceof ImportBatch.PutException failure)
            {
                throw failure;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String soFar()
    {
        return Amounts.count(imported, "pair") + " imported before";
    }
}
