package org.onesided.tools.ycsb;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.stream.Stream;
import org.onesided.client.StoreOperations;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Runs YCSB's workloads against a server: {@code java site.ycsb.Client -db org.onesided.tools.ycsb.OnesidedClient},
 * with {@code -p onesided.server=HOST:PORT} and the other properties of docs/ycsb.md.
 *
 * <p>A record is one pair of the store: the key is table and key with a slash between, the value holds all fields. A
 * read is therefore one lookup, which the store takes no part in; an insert is one put, over a record that may be
 * there; an update is a lookup and a put. Updates of one record by threads of this process wait for each other, so that
 * no field is lost; between processes, the later put counts. There are no scans.
 *
 * <p>As with all of YCSB's bindings, each of its threads has an object of its own, which no other may use. They share
 * one client of the store, with a session each unless it is a cluster.
 */
public final class OnesidedClient extends DB
{
    private static final char SEPARATOR = '/';
    /** Guard updates; each lock guards the records whose keys hash to it. */
    private static final Object[] LOCKS = Stream.generate(Object::new).limit(1024).toArray();

    private final Fields fields = new Fields();
    private StoreOperations session;
    private String lastTable;
    private byte[] prefix;

    /**
     * Constructs an object that {@link #init} connects.
     */
    public OnesidedClient()
    {
    }

    @Override
    public void init() throws DBException
    {
        session = SharedClient.open(getProperties());
    }

    @Override
    public void cleanup() throws DBException
    {
        if (session != null)
        {
            final StoreOperations ending = session;
            session = null;
            SharedClient.close(ending);
        }
    }

    @Override
    public Status read(
        final String table, final String key, final Set<String> wanted, final Map<String, ByteIterator> result)
    {
        try
        {
            final byte[] packed = session.get(storeKey(table, key));
            if (packed == null)
            {
                return Status.NOT_FOUND;
            }
            fields.unpack(packed, wanted, result);
            return Status.OK;
        }
        catch (final RuntimeException e)
        {
            return Failures.status(e);
        }
    }

    /**
     * The store has no order of keys.
     *
     * @return {@link Status#NOT_IMPLEMENTED}.
     */
    @Override
    public Status scan(
        final String table,
        final String startkey,
        final int recordcount,
        final Set<String> wanted,
        final Vector<HashMap<String, ByteIterator>> result)
    {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(final String table, final String key, final Map<String, ByteIterator> values)
    {
        try
        {
            final byte[] storeKey = storeKey(table, key);
            synchronized (LOCKS[Math.floorMod(Arrays.hashCode(storeKey), LOCKS.length)])
            {
                final byte[] packed = session.get(storeKey);
                if (packed == null)
                {
                    return Status.NOT_FOUND;
                }
                session.put(storeKey, fields.merge(packed, values));
                return Status.OK;
            }
        }
        catch (final RuntimeException e)
        {
            return Failures.status(e);
        }
    }

    @Override
    public Status insert(final String table, final String key, final Map<String, ByteIterator> values)
    {
        try
        {
            session.put(storeKey(table, key), Fields.pack(values));
            return Status.OK;
        }
        catch (final RuntimeException e)
        {
            return Failures.status(e);
        }
    }

    @Override
    public Status delete(final String table, final String key)
    {
        try
        {
            return session.delete(storeKey(table, key)) ? Status.OK : Status.NOT_FOUND;
        }
        catch (final RuntimeException e)
        {
            return Failures.status(e);
        }
    }

    private byte[] storeKey(final String table, final String key)
    {
        if (!table.equals(lastTable))
        {
            if (table.indexOf(SEPARATOR) >= 0)
            {
                throw new IllegalArgumentException("a table's name must not have a slash: table=" + table);
            }
            prefix = (table + SEPARATOR).getBytes(StandardCharsets.UTF_8);
            lastTable = table;
        }
        final byte[] name = key.getBytes(StandardCharsets.UTF_8);
        final byte[] storeKey = Arrays.copyOf(prefix, prefix.length + name.length);
        System.arraycopy(name, 0, storeKey, prefix.length, name.length);
        return storeKey;
    }
}
