package org.onesided.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClient;
import net.rubyeye.xmemcached.exception.MemcachedException;
import net.rubyeye.xmemcached.transcoders.CachedData;
import net.rubyeye.xmemcached.transcoders.CompressionMode;
import net.rubyeye.xmemcached.transcoders.Transcoder;

/**
 * memcached, through one connection of XMemcached.
 */
final class MemcachedSubject implements Subject
{
    private static final long TIMEOUT_MILLIS = 30_000;
    /** Requests without an answer between two with one, which keep the client from running ahead. */
    private static final int LOAD_DEPTH = 1000;

    private final MemcachedClient client;
    private final byte[] key = new byte[Records.KEY_LENGTH];
    private byte[] value;

    private MemcachedSubject(final Arguments arguments) throws IOException
    {
        client = new XMemcachedClient(new InetSocketAddress("127.0.0.1", (int)arguments.number("port")));
        client.setOpTimeout(TIMEOUT_MILLIS);
        // It would look many keys up at once behind the caller's back, and wait for more to come.
        client.setOptimizeGet(false);
    }

    /**
     * Serves as a worker.
     *
     * @param arguments {@code port=}.
     * @throws Exception if the worker fails.
     */
    public static void main(final String[] arguments) throws Exception
    {
        Worker.serve(() -> new MemcachedSubject(new Arguments(arguments)));
    }

    @Override
    public void load(final long count, final int valueLength) throws Exception
    {
        value = Records.template(valueLength);
        for (long i = 0; i < count; i++)
        {
            final byte[] own = value.clone();
            Records.value(i, own);
            if (i % LOAD_DEPTH == LOAD_DEPTH - 1)
            {
                client.set(text(i), 0, own, PlainBytes.INSTANCE);
            }
            else
            {
                client.setWithNoReply(text(i), 0, own, PlainBytes.INSTANCE);
            }
        }
        // Comes after all others on the same connection.
        put(0);
        final long records = Long.parseLong(statistics("").get("curr_items"));
        if (records != count)
        {
            throw new IllegalStateException("records are missing: count=" + count + " items=" + records);
        }
    }

    private String text(final long number)
    {
        Records.key(number, key);
        return new String(key, StandardCharsets.ISO_8859_1);
    }

    @Override
    public long get(final long number) throws Exception
    {
        return Records.firstWord(client.get(text(number), PlainBytes.INSTANCE));
    }

    @Override
    public long getAll(final long[] numbers) throws Exception
    {
        final List<String> keys = new ArrayList<>(numbers.length);
        for (final long number : numbers)
        {
            keys.add(text(number));
        }
        final Map<String, byte[]> values = client.get(keys, PlainBytes.INSTANCE);
        long sum = 0;
        for (final String text : keys)
        {
            sum += Records.firstWord(values.get(text));
        }
        return sum;
    }

    @Override
    public void put(final long number) throws Exception
    {
        Records.value(number, value);
        if (!client.set(text(number), 0, value, PlainBytes.INSTANCE))
        {
            throw new IllegalStateException("server does not store the value: number=" + number);
        }
    }

    @Override
    public Map<String, Object> command(final String name, final Arguments arguments) throws Exception
    {
        if (name.equals("memory"))
        {
            final Map<String, String> all = statistics("");
            return Map.of(
                "records", all.get("curr_items"),
                "bytes", all.get("bytes"),
                "index", all.get("hash_bytes"),
                "slabs", statistics("slabs").get("total_malloced"));
        }
        throw new IllegalArgumentException("no such command: command=" + name);
    }

    private Map<String, String> statistics(final String item)
        throws MemcachedException, InterruptedException, TimeoutException
    {
        final var all = item.isEmpty() ? client.getStats() : client.getStatsByItem(item);
        return all.values().iterator().next();
    }

    @Override
    public void close() throws IOException
    {
        client.shutdown();
    }

    /** Bytes as they are. */
    private static final class PlainBytes implements Transcoder<byte[]>
    {
        private static final PlainBytes INSTANCE = new PlainBytes();

        @Override
        public CachedData encode(final byte[] bytes)
        {
            return new CachedData(0, bytes, CachedData.MAX_SIZE, -1);
        }

        @Override
        public byte[] decode(final CachedData data)
        {
            return data.getData();
        }

        @Override
        public void setPrimitiveAsString(final boolean value)
        {
            // There are no primitives here.
        }

        @Override
        public void setPackZeros(final boolean value)
        {
            // There are no numbers here.
        }

        @Override
        public void setCompressionThreshold(final int threshold)
        {
            // Nothing is compressed.
        }

        @Override
        public boolean isPrimitiveAsString()
        {
            return false;
        }

        @Override
        public boolean isPackZeros()
        {
            return false;
        }

        @Override
        public void setCompressionMode(final CompressionMode mode)
        {
            // Nothing is compressed.
        }
    }
}
