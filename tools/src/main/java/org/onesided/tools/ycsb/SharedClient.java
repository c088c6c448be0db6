package org.onesided.tools.ycsb;

import java.util.Properties;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import site.ycsb.DBException;

/**
 * The one client of the process, because YCSB makes a {@code DB} for each of its threads. Lives from the first session
 * to the last. Thread-safe.
 */
final class SharedClient
{
    private static final Object LOCK = new Object();
    /** Number of open sessions; guarded by the lock, like the client. */
    private static int users;
    private static StoreClient client;

    private SharedClient()
    {
    }

    /**
     * @param properties of the run, the same for all threads.
     * @return a session for the calling thread, to pass to {@link #close}.
     * @throws DBException if the client cannot connect.
     */
    static StoreSession open(final Properties properties) throws DBException
    {
        synchronized (LOCK)
        {
            try
            {
                if (client == null)
                {
                    client = new BindingProperties(properties).clientBuilder().build();
                }
                final StoreSession session = client.openSession();
                users++;
                return session;
            }
            catch (final StoreException | IllegalArgumentException | UnsupportedOperationException e)
            {
                throw new DBException(e.getMessage(), e);
            }
            finally
            {
                closeUnused();
            }
        }
    }

    /**
     * Closes a session, and the client with its last session.
     *
     * @param session from {@link #open}.
     */
    static void close(final StoreSession session)
    {
        synchronized (LOCK)
        {
            try
            {
                session.close();
            }
            finally
            {
                users--;
                closeUnused();
            }
        }
    }

    private static void closeUnused()
    {
        if (users == 0 && client != null)
        {
            final StoreClient unused = client;
            client = null;
            unused.close();
        }
    }
}
