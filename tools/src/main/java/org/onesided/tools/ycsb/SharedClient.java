package org.onesided.tools.ycsb;

import java.util.Properties;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import site.ycsb.DBException;

/**
 * The one client of the process, because YCSB makes a {@code DB} for each of its threads. Lives from the first of
 * them to the last. Thread-safe.
 */
final class SharedClient
{
    private static final Object LOCK = new Object();
    /** Number of users; guarded by the lock, like the client. */
    private static int users;
    private static StoreClient client;

    private SharedClient()
    {
    }

    /**
     * @param properties of the run, the same for all threads.
     * @return a session for the calling thread, or the client of a cluster; to pass to {@link #close}.
     * @throws DBException if the client cannot connect.
     */
    static StoreOperations open(final Properties properties) throws DBException
    {
        synchronized (LOCK)
        {
            try
            {
                if (client == null)
                {
                    client = new BindingProperties(properties).clientBuilder().build();
                }
                final StoreOperations opened = client.isCluster() ? client : client.openSession();
                users++;
                return opened;
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
     * Closes a session, and the client with its last user.
     *
     * @param opened from {@link #open}.
     */
    static void close(final StoreOperations opened)
    {
        synchronized (LOCK)
        {
            try
            {
                if (opened instanceof StoreSession session)
                {
                    session.close();
                }
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
