package org.onesided.tools.ycsb;

import java.util.Properties;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import site.ycsb.DBException;

/**
 * The process's one client: YCSB makes a {@code DB} for each of its threads, without telling them of each other. Lives
 * from the first session to the last. Thread-safe.
 */
final class SharedClient
{
    private static final Object LOCK = new Object();
    /** With how many sessions the client is in use; guarded, as the client is, by the lock. */
    private static int users;
    private static StoreClient client;

    private SharedClient()
    {
    }

    /**
     * @param properties of the run, which are those of all its threads.
     * @return a session for the calling thread, to be given to {@link #close}.
     * @throws DBException if there is no connection to be had.
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
     * Ends a session, and the client with the last one.
     *
     * @param session of {@link #open}.
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
