package org.onesided.client;

import java.lang.reflect.Field;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.read.SessionProbe;

/**
 * Has the client of a cluster look keys up by request, which it does seldom by itself. Thread-safe.
 */
public final class ClusterProbe
{
    private final Partitions partitions;

    /**
     * @param client of a cluster.
     */
    public ClusterProbe(final StoreClient client)
    {
        try
        {
            final Field field = ClusterClient.class.getDeclaredField("partitions");
            field.setAccessible(true);
            partitions = (Partitions)field.get(client);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("client is made otherwise than this knows", e);
        }
    }

    /**
     * Looks a key up without a READ before the request.
     *
     * @param key to look up.
     * @return its value, or null.
     * @throws IllegalStateException if the leader was not asked.
     */
    public byte[] ask(final byte[] key)
    {
        return partitions.client(partitions.of(key), Operation.GET, partitions.deadlineNs()).withSession((session) ->
        {
            final SessionProbe probe = new SessionProbe(session);
            probe.begin();
            probe.askFirst(true);
            try
            {
                final byte[] value = session.get(key);
                if (!probe.hasAsked())
                {
                    throw new IllegalStateException("lookup asked nobody");
                }
                return value;
            }
            finally
            {
                probe.askFirst(false);
            }
        });
    }
}
