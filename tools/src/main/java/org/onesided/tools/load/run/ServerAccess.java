package org.onesided.tools.load.run;

import java.time.Duration;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.StoreFacts;

/**
 * A server, or a cluster; each thread has its own session of one client, or sessions of the partitions' pools.
 */
public final class ServerAccess implements StoreAccess
{
    private final StoreClient client;
    private final PutOptions options;
    private final long tableId;

    /**
     * @param client connected; closed with this.
     */
    public ServerAccess(final StoreClient client)
    {
        this(client, 0);
    }

    /**
     * @param client connected; closed with this.
     * @param ttlMs  how long keys live that are put, in milliseconds; 0 if the puts say nothing about it.
     */
    public ServerAccess(final StoreClient client, final long ttlMs)
    {
        this.client = client;
        options = ttlMs == 0 ? PutOptions.NONE : PutOptions.expiringAfter(Duration.ofMillis(ttlMs));
        tableId = client.server().tableId();
    }

    @Override
    public Session open()
    {
        if (client.isCluster())
        {
            return new ServerSession(client, client, () -> { }, options, tableId);
        }
        final StoreSession session = client.openSession();
        return new ServerSession(client, session, session::close, options, tableId);
    }

    @Override
    public StoreFacts facts()
    {
        final ServerInfo server = client.server();
        return new StoreFacts("server", server.address(), server.device(), server.shards(), server.regionLength(),
            server.hugePages());
    }

    @Override
    public boolean evicts()
    {
        return client.server().evicts();
    }

    @Override
    public long defaultTtlMs()
    {
        return client.server().defaultTtlMs();
    }

    @Override
    public ClientTotals totals()
    {
        final ClientStatistics all = client.clientStatistics();
        return new ClientTotals(
            all.gets(),
            all.misses(),
            all.mirrorHits(),
            all.bucketReads(),
            all.recordReads(),
            all.bytesRead(),
            all.retries(),
            all.rpcGets(),
            all.puts(),
            all.reconnects());
    }

    @Override
    public void close()
    {
        client.close();
    }

    private static final class ServerSession implements Session
    {
        private final StoreClient client;
        private final StoreOperations session;
        private final Runnable end;
        private final PutOptions options;
        private final long tableId;
        private final MutableVersion version = new MutableVersion();

        ServerSession(
            final StoreClient client, final StoreOperations session, final Runnable end, final PutOptions options,
            final long tableId)
        {
            this.end = end;
            this.options = options;
            this.client = client;
            this.session = session;
            this.tableId = tableId;
        }

        @Override
        public int get(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
        {
            return session.get(key, 0, keyLength, value, 0);
        }

        @Override
        public void put(
            final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
        {
            if (options == PutOptions.NONE)
            {
                session.put(key, 0, keyLength, value, 0, valueLength);
            }
            else
            {
                session.put(key, 0, keyLength, value, 0, valueLength, options);
            }
        }

        @Override
        public int getVersioned(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
        {
            return session.getVersioned(key, 0, keyLength, value, 0, version);
        }

        @Override
        public boolean putIfUnchanged(
            final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
        {
            // The key lives as after a plain put; by itself, a put under these conditions leaves its time.
            final PutOptions condition =
                version.number() == 0 ? PutOptions.ifAbsent() : PutOptions.ifVersion(version.toVersion());
            return session.put(key, 0, keyLength, value, 0, valueLength, condition.expiry(options.expiry())).applied();
        }

        @Override
        public boolean isAnew()
        {
            return client.server().tableId() != tableId;
        }

        @Override
        public void close()
        {
            end.run();
        }
    }
}
