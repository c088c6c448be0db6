package org.onesided.peers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/**
 * Redis, through one connection of Jedis.
 */
final class RedisSubject implements Subject
{
    /** Requests under way while records are loaded. */
    private static final int LOAD_DEPTH = 1000;
    private static final int TIMEOUT_MILLIS = 30_000;

    private final int port;
    private final Jedis redis;
    private final byte[] key = new byte[Records.KEY_LENGTH];
    private byte[] value;
    private byte[][] keys = {};

    private RedisSubject(final Arguments arguments)
    {
        port = (int)arguments.number("port");
        redis = connect();
    }

    private Jedis connect()
    {
        return new Jedis(
            new HostAndPort("127.0.0.1", port),
            DefaultJedisClientConfig.builder()
                .autoNegotiateProtocol(false)
                .connectionTimeoutMillis(TIMEOUT_MILLIS)
                .socketTimeoutMillis(TIMEOUT_MILLIS)
                .build());
    }

    /**
     * Serves as a worker.
     *
     * @param arguments {@code port=}.
     * @throws Exception if the worker fails.
     */
    public static void main(final String[] arguments) throws Exception
    {
        Worker.serve(() -> new RedisSubject(new Arguments(arguments)));
    }

    @Override
    public void load(final long count, final int valueLength)
    {
        value = Records.template(valueLength);
        try (Pipeline pipeline = redis.pipelined())
        {
            for (long i = 0; i < count; i++)
            {
                final byte[] ownKey = new byte[Records.KEY_LENGTH];
                final byte[] ownValue = value.clone();
                Records.key(i, ownKey);
                Records.value(i, ownValue);
                pipeline.set(ownKey, ownValue);
                if (i % LOAD_DEPTH == LOAD_DEPTH - 1)
                {
                    pipeline.sync();
                }
            }
        }
        if (redis.dbSize() != count)
        {
            throw new IllegalStateException("records are missing: count=" + count + " size=" + redis.dbSize());
        }
    }

    @Override
    public long get(final long number)
    {
        Records.key(number, key);
        return Records.firstWord(redis.get(key));
    }

    @Override
    public long getAll(final long[] numbers)
    {
        if (keys.length != numbers.length)
        {
            keys = new byte[numbers.length][Records.KEY_LENGTH];
        }
        for (int i = 0; i < numbers.length; i++)
        {
            Records.key(numbers[i], keys[i]);
        }
        final List<byte[]> values = redis.mget(keys);
        long sum = 0;
        for (final byte[] found : values)
        {
            sum += Records.firstWord(found);
        }
        return sum;
    }

    @Override
    public void put(final long number)
    {
        Records.key(number, key);
        Records.value(number, value);
        redis.set(key, value);
    }

    @Override
    public Map<String, Object> command(final String name, final Arguments arguments) throws Exception
    {
        if (name.equals("crowd"))
        {
            return crowd(arguments);
        }
        if (name.equals("memory"))
        {
            return Map.of("records", redis.dbSize(), "used", info("used_memory_dataset"));
        }
        throw new IllegalArgumentException("no such command: command=" + name);
    }

    /** Each thread has a connection of its own, as those of a pool with one for each would. */
    private Map<String, Object> crowd(final Arguments arguments) throws Exception
    {
        final List<Jedis> connections = Collections.synchronizedList(new ArrayList<>());
        try
        {
            return Crowd.run(arguments, () ->
            {
                final Jedis own = connect();
                connections.add(own);
                final byte[] ownKey = new byte[Records.KEY_LENGTH];
                return (number) ->
                {
                    Records.key(number, ownKey);
                    return Records.firstWord(own.get(ownKey));
                };
            });
        }
        finally
        {
            connections.forEach(Jedis::close);
        }
    }

    private String info(final String field)
    {
        return redis.info("memory").lines()
            .filter((line) -> line.startsWith(field + ":"))
            .map((line) -> line.substring(field.length() + 1).trim())
            .findFirst().orElseThrow(() -> new IllegalStateException("server does not tell: field=" + field));
    }

    @Override
    public void close()
    {
        redis.close();
    }
}
