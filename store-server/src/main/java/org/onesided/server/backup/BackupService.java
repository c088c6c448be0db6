package org.onesided.server.backup;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.session.ClientDesk;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.snapshot.TableBackup;
import org.onesided.verbs.ThreadEnd;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes backups for clients, one at a time. The shards write snapshots to files first, so that a slow client delays no
 * shard; then a thread sends them. The files go as soon as the client has left, or the server starts anew. Thread-safe.
 */
public final class BackupService implements ClientDesk, AutoCloseable
{
    /** A client that takes nothing for so long is left, in nanoseconds. */
    public static final long CLIENT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOGGER = LoggerFactory.getLogger(BackupService.class);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Longest wait for snapshots that were begun before. */
    private static final long QUIET_NS = TimeUnit.MINUTES.toNanos(10);
    /** Longest wait for shards and their writers to end what was given up. */
    private static final long SETTLE_MS = TimeUnit.SECONDS.toMillis(10);
    /** Of the disk, beside the backup: logs stop before the disk is full. */
    private static final long LEAST_ROOM = 64L << 20;

    private final Path directory;
    private final TableIdentity identity;
    private final List<Shard> shards;
    private final boolean isAlone;
    private final BooleanSupplier keepsAll;
    private final long clientNs;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private volatile boolean isClosed;
    private Thread thread;

    /**
     * Removes what a crash has left.
     *
     * @param directory for the files, which belongs to this.
     * @param identity  of the table.
     * @param shards    of the table, which may come later than this, but before clients.
     * @param isAlone   whether the server is no member of a cluster, so that a backup is of one moment.
     * @param keepsAll  whether the server has all partitions now.
     * @param clientNs  for which a client may take nothing, as {@link #CLIENT_NS}.
     * @throws IOException if files cannot be removed.
     */
    public BackupService(
        final Path directory,
        final TableIdentity identity,
        final List<Shard> shards,
        final boolean isAlone,
        final BooleanSupplier keepsAll,
        final long clientNs) throws IOException
    {
        this.directory = directory;
        this.identity = identity;
        this.shards = shards;
        this.isAlone = isAlone;
        this.keepsAll = keepsAll;
        this.clientNs = clientNs;
        removeFiles();
    }

    @Override
    public String refusal()
    {
        return isClosed ? "server is about to stop" : isBusy.get() ?
            "another client takes a backup now, and one at a time may: try again later" : null;
    }

    @Override
    public synchronized void serve(final MessageChannel channel, final String peer, final String clientIdentity)
    {
        if (isClosed || !isBusy.compareAndSet(false, true))
        {
            CloseHelper.quietClose(channel);
            return;
        }
        final Thread former = thread != null && thread.isAlive() ? thread : null;
        thread = new Thread(() ->
        {
            awaitEnd(former);
            run(new BackupClient(channel, clientNs), peer, clientIdentity);
        }, "store-backup");
        thread.start();
    }

    /** The former client was told all, and may take a moment to leave. */
    private static void awaitEnd(final Thread former)
    {
        if (former != null)
        {
            ThreadEnd.await(former, BackupClient.LINGER_NS);
        }
    }

    private void run(final BackupClient client, final String peer, final String clientIdentity)
    {
        final long beganNs = System.nanoTime();
        String refusal = null;
        try
        {
            final long bytes = make(client);
            LOGGER.info("backup is sent: peer={} identity={} bytes={} took={}ms", peer, clientIdentity, bytes,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs));
        }
        catch (final BackupException e)
        {
            LOGGER.warn("backup was given up: peer={} reason={}", peer, e.getMessage());
            refusal = e.getMessage();
        }
        catch (final IOException | RuntimeException e)
        {
            LOGGER.warn("backup was given up: peer={} reason={}", peer, e.toString());
        }
        finally
        {
            end(client, refusal);
        }
    }

    /** Before the client hears that it is over: it may ask for the next one at once. */
    private void end(final BackupClient client, final String refusal)
    {
        try (client)
        {
            try
            {
                removeFiles();
            }
            catch (final IOException | UncheckedIOException e)
            {
                LOGGER.warn("files of a backup cannot be removed: directory={} cause={}", directory, e.toString());
            }
            isBusy.set(false);
            if (refusal != null)
            {
                client.refuse(refusal);
            }
        }
    }

    private long make(final BackupClient client) throws IOException
    {
        prepare();
        final TableBackup backup = new TableBackup(directory, shards.size(), isAlone);
        final BackupHeader header = new BackupHeader(
            new SecureRandom().nextLong(), identity.tableId(), identity.hashSeed(), identity.checkSeed(),
            System.currentTimeMillis(), version(), shards.size());
        shards.forEach((shard) -> shard.backUp(backup));
        try
        {
            await(backup, client);
        }
        catch (final IOException | RuntimeException e)
        {
            backup.giveUp("client has left, or was too slow");
            throw e;
        }
        finally
        {
            settle(backup);
        }
        final BackupStream stream = new BackupStream(
            header, IntStream.range(0, shards.size()).mapToObj(backup::file).toList(), Bootstrap.MAX_BACKUP_PART);
        final long length = readLength(stream);
        client.state(length, TableBackup.PERMILLE);
        stream.writeTo((piece) -> send(client, piece));
        client.awaitEnd();
        return length;
    }

    private void send(final BackupClient client, final ByteBuffer piece) throws IOException
    {
        checkOpen();
        client.part(piece);
    }

    private void prepare()
    {
        if (!keepsAll.getAsBoolean())
        {
            throw new BackupException("this member does not keep all partitions, so it has no whole table: copy the " +
                "cluster's with kvctl export");
        }
        try
        {
            removeFiles();
            DiskFiles.createDirectories(directory);
            final long needed = shards.stream().mapToLong(Shard::heapBytesUsed).sum() + LEAST_ROOM;
            final long free = Files.getFileStore(directory).getUsableSpace();
            if (free < needed)
            {
                throw new BackupException("the server's disk has no room for the files of a backup, which it needs " +
                    "for a while: free=" + (free >> 20) + "MiB needed=" + (needed >> 20) + "MiB");
            }
        }
        catch (final IOException e)
        {
            throw new BackupException("the server's disk cannot be used for a backup: cause=" + e, e);
        }
    }

    private void await(final TableBackup backup, final BackupClient client) throws IOException
    {
        final long beganNs = System.nanoTime();
        while (!backup.isOver())
        {
            checkOpen();
            if (!backup.isBegun() && System.nanoTime() - beganNs > QUIET_NS)
            {
                backup.giveUp("snapshots that were begun before take too long, try again later");
            }
            client.look();
            client.state(0, backup.permille());
            LockSupport.parkNanos(this, LOOK_NS);
        }
        if (backup.failure() != null)
        {
            throw new BackupException(backup.failure());
        }
    }

    /** The shards and their writers must have ended before files are read or removed. */
    private void settle(final TableBackup backup) throws IOException
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_MS);
        try
        {
            // A server that stops has shards that do not answer any more.
            while (!backup.isOver() && !isClosed && System.nanoTime() - endNs < 0)
            {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            if (!backup.awaitWriters(SETTLE_MS) || !isClosed && !backup.isOver())
            {
                throw new IOException("a shard does not end its part of the backup");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static long readLength(final BackupStream stream)
    {
        try
        {
            return stream.totalLength();
        }
        catch (final IOException e)
        {
            throw new BackupException("the server cannot read what it has written for the backup: cause=" + e, e);
        }
    }

    private void checkOpen() throws EOFException
    {
        if (isClosed)
        {
            throw new EOFException("server stops");
        }
    }

    private static String version()
    {
        final String version = BackupService.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    private void removeFiles() throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            return;
        }
        final List<Path> files;
        try (Stream<Path> all = Files.list(directory))
        {
            files = all.toList();
        }
        for (final Path file : files)
        {
            Files.delete(file);
        }
        Files.delete(directory);
    }

    /** Gives up the backup that is being made, and waits for its thread. */
    @Override
    public void close()
    {
        final Thread last;
        synchronized (this)
        {
            isClosed = true;
            last = thread;
        }
        if (last == null)
        {
            return;
        }
        last.interrupt();
        Interruptible.join(last, 2 * SETTLE_MS);
    }
}
