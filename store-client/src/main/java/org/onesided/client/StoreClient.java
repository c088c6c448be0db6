package org.onesided.client;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.types.BackupListener;
import org.onesided.verbs.JvmFlags;

/**
 * A client of one store, which is a server or a cluster: its builder finds out which. Thread-safe: it lends sessions
 * from bounded pools to the threads that call it, and reconnects by itself.
 *
 * <pre>{@code
 * try (StoreClient client = StoreClient.builder().server("127.0.0.1:19875").build())
 * {
 *     client.put("answer", "42");
 *     System.out.println(client.get("answer"));
 * }
 * }</pre>
 *
 * <p>In a cluster, each key belongs to a partition, and the member that leads it carries its operations out. The client
 * finds that member, and the next one where it is lost. Each partition has a pool of sessions of its own, which its
 * first operation connects. Scans go through the partitions one after another. Operations on many keys, scans and
 * statistics are no snapshot of the partitions together. What needs a single server throws
 * {@link UnsupportedOperationException}: {@link #withSession} and {@link #openSession}.
 *
 * <p>Tests may mock it. Programs do not implement it, as later versions add methods; the same holds for the interfaces
 * that it extends.
 */
public interface StoreClient extends StoreOperations, AutoCloseable
{
    /**
     * @return a builder with the defaults.
     * @throws UnsupportedOperationException if the JVM lacks an option that the library needs; the message names it.
     */
    static StoreClientBuilder builder()
    {
        JvmFlags.check();
        return new StoreClientBuilder();
    }

    /**
     * Whether the store is a cluster.
     *
     * @return false if it is a single server.
     */
    boolean isCluster();

    /**
     * Lends a session to a function, so that a run of calls needs to ask the pool only once.
     *
     * @param function gets the session, in the calling thread; it must neither keep nor close it.
     * @param <T>      type of what comes out.
     * @return what the function returned.
     * @throws StoreDeadlineException        if all sessions stay lent until the deadline.
     * @throws UnsupportedOperationException if the store is a cluster.
     */
    <T extends @Nullable Object> T withSession(SessionFunction<T> function);

    /**
     * Gives the asynchronous view of this client: futures, carried out over one session of its own, which it has from
     * the first operation on, by one thread at a time of those that all clients of the JVM share. In a cluster, each
     * partition has such a session.
     *
     * @return the view, the same for all callers; it ends with the client.
     * @throws StoreClosedException after the close.
     */
    AsyncStore async();

    /**
     * Copies the whole table of a server that keeps it on disk, as it is at one moment: if a write that was
     * acknowledged before another one was begun is missing, then so is the other. Clients go on meanwhile. It takes as
     * long as it takes, whatever the deadline; one client at a time can have one.
     *
     * <p>Of a cluster, it is what one member has. Each partition is as it was behind one entry of its log, but not all
     * at one moment, and a member may not have heard yet of what was written last. For each partition, the backup names
     * the entry; {@code kvctl backup} compares that with what the leaders had applied when it began, which
     * {@link #statistics()} tells.
     *
     * @param to       gets the backup, from which {@code kvctl restore} makes a table; stays open.
     * @param listener hears how far it is.
     * @return length of the backup in bytes.
     * @throws IOException                if it cannot be written there.
     * @throws StoreStorageException      if the server keeps its table in memory only, or its disk fails.
     * @throws StoreConnectException      if the server cannot be reached, or another client takes a backup.
     * @throws StoreAccessException       if the server refuses the token.
     * @throws StoreDisconnectedException if the server was lost before the backup was complete.
     */
    long backup(OutputStream to, BackupListener listener) throws IOException;

    /**
     * Opens a session outside the pool, for use by one thread at a time.
     *
     * @return a connected session; the caller closes it, before or after the client.
     * @throws StoreConnectException         if no session can be had.
     * @throws StoreAccessException          if the server refuses the token.
     * @throws UnsupportedOperationException if the store is a cluster.
     */
    StoreSession openSession();

    /**
     * Ends running operations and all futures with {@link StoreClosedException}, closes the pool's sessions and waits
     * for the client's threads to end, but for those that callbacks keep: they end when these return. Takes 10 seconds
     * at most. If the calling thread is interrupted, it stays so, and the close goes on without it. Sessions of
     * {@link #openSession()} fail from here on, and stay to be closed by their owners. Does nothing if already closed.
     */
    @Override
    void close();
}
