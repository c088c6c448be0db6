package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.List;
import org.onesided.testing.ServerProcess;

/**
 * Times of operations, system beside system.
 */
final class Speed
{
    private static final String OURS = "onesided";
    private static final String COPY = "plain copy";
    private static final String CHECKED = "plain copy and check";
    private static final String CHRONICLE = "Chronicle Map";
    private static final String REDIS = "Redis (Jedis)";
    private static final String MEMCACHED = "memcached (XMemcached)";
    private static final int KIB = 1024;
    private static final String GET = "GET";
    private static final String GET_ALL = "getAll of 64 keys, per key";
    private static final String PUT = "PUT, spinning";
    private static final String PAUSED_PUT = "PUT after a pause of 1 ms";
    private static final String WRITES = "write of 8 bytes, spinning";
    private static final String PLAIN = "put";
    private static final String CONDITIONAL = "put if present";
    private static final String INCREMENT = "increment";
    private static final long MOST_COUNTERS = 100_000;
    private static final String SAMPLED = "GET, and what sampling adds";
    private static final String NO_EVICTION = "--evict none";
    private static final String EVICTION = "--evict density";
    private static final String GET_OF_KIB = "GET of 1 KiB";
    private static final String GET_OF_64_KIB = "GET of 64 KiB";
    /** What can be measured. */
    static final List<String> TITLES =
        List.of(GET, GET_ALL, PUT, PAUSED_PUT, WRITES, SAMPLED, GET_OF_KIB, GET_OF_64_KIB, RedisProgram.PROGRAM);

    private final Lab lab;
    private final Results results;
    private final Settings settings;
    private final Systems systems;

    Speed(final Lab lab, final Results results, final Settings settings, final Systems systems)
    {
        this.lab = lab;
        this.results = results;
        this.settings = settings;
        this.systems = systems;
    }

    void run() throws IOException
    {
        final Contest get = contest(GET, "operation=get batch=16", 1)
            .with(OURS, systems.ours())
            .with(COPY, systems.copy())
            .with(CHRONICLE, systems.chronicle())
            .with(REDIS, systems.redis())
            .with(MEMCACHED, systems.memcached());
        final Contest getAll = contest(GET_ALL, "operation=getAll keys=64 batch=1", 1)
            .with(OURS, systems.ours())
            .with(CHRONICLE, systems.chronicle())
            .with(REDIS, systems.redis())
            .with(MEMCACHED, systems.memcached());
        final Contest put = contest(PUT, "operation=put batch=16", 1)
            .with(OURS, systems.ours())
            .with(CHRONICLE, systems.chronicle())
            .with(REDIS, systems.redis())
            .with(MEMCACHED, systems.memcached());
        final Contest paused = contest(PAUSED_PUT, "operation=put batch=1 pause=1000", 2)
            .with(OURS, systems.sleeper())
            .with(REDIS, systems.redis())
            .with(MEMCACHED, systems.memcached());
        final Contest writes = writes();
        final Contest sampled = sampled();
        final Contest kib = values(GET_OF_KIB, KIB);
        final Contest kib64 = values(GET_OF_64_KIB, 64 * KIB);
        final List<Contest> contests = List.of(get, getAll, put, paused, writes, sampled, kib, kib64);
        final RedisProgram program = RedisProgram.start(
            lab, results, settings, settings.wants(RedisProgram.PROGRAM));
        for (final Contest contest : contests)
        {
            contest.warmUp(settings.warmUpMillis());
        }
        for (int round = 0; round < settings.rounds(); round++)
        {
            for (final Contest contest : contests)
            {
                contest.round(round);
            }
            program.round();
        }
        contests.forEach((contest) -> results.add(contest.results()));
        results.add(program.results());
        compare(get, getAll, put, paused, kib, kib64);
        results.compare("put if present / put", writes.of(CONDITIONAL), writes.of(PLAIN), 1.1);
        results.compare("increment / put", writes.of(INCREMENT), writes.of(PLAIN), 1.1);
        results.compare("GET, eviction / no eviction", sampled.of(EVICTION), sampled.of(NO_EVICTION), 1.02);
        results.compare("GET / redis-benchmark GET -P 1", get.of(OURS), program.get(1));
        results.compare("getAll of 64 / redis-benchmark GET -P 64", getAll.of(OURS), program.get(64));
        results.compare("PUT / redis-benchmark SET -P 1", put.of(OURS), program.set(1));
    }

    private Contest contest(final String title, final String command, final int turns)
    {
        return new Contest(title, command, settings.millis() * turns, settings.wants(title));
    }

    /** Kinds of writes to a server of their own: as many counters as records. */
    private Contest writes() throws IOException
    {
        final Contest contest = contest(WRITES, "operation=put batch=16", 1);
        if (!settings.wants(WRITES))
        {
            return contest;
        }
        final long records = Math.min(settings.records(), MOST_COUNTERS);
        final String server = "server=" + Systems.server(lab, 2 * records, Long.BYTES).address();
        final WorkerProcess plain = lab.own(StoreSubject.class, server, "waiting=spinning");
        plain.tell(Systems.load(records, Long.BYTES));
        return contest.with(PLAIN, plain)
            .with(CONDITIONAL, writer(server, "PUT_IF_PRESENT", records))
            .with(INCREMENT, writer(server, "INCREMENT", records));
    }

    private WorkerProcess writer(final String server, final String write, final long records) throws IOException
    {
        final WorkerProcess worker = lab.own(StoreSubject.class, server, "waiting=spinning", "write=" + write);
        worker.tell("attach count=" + records + " value=" + Long.BYTES);
        return worker;
    }

    /** Servers that evict and that do not, with room for all records: their clients report samples, or do not. */
    private Contest sampled() throws IOException
    {
        final Contest contest = contest(SAMPLED, "operation=get batch=16", 1);
        if (!settings.wants(SAMPLED))
        {
            return contest;
        }
        for (final String evict : List.of(NO_EVICTION, EVICTION))
        {
            final ServerProcess server = Systems.server(
                lab, settings.records(), Settings.VALUE_LENGTH, evict.split(" "));
            final WorkerProcess worker = lab.own(StoreSubject.class, "server=" + server.address(), "waiting=spinning");
            worker.tell(Systems.load(settings.records(), Settings.VALUE_LENGTH));
            contest.with(evict, worker);
        }
        return contest;
    }

    /** A server and a copy with values of another length. */
    private Contest values(final String title, final int valueLength) throws IOException
    {
        final Contest contest = contest(title, "operation=get batch=16", 1);
        if (!settings.wants(title))
        {
            return contest;
        }
        final long records = settings.records(valueLength);
        final ServerProcess server = Systems.server(lab, records, valueLength);
        final WorkerProcess ours = lab.own(StoreSubject.class, "server=" + server.address(), "waiting=spinning");
        final WorkerProcess copy = lab.own(CopySubject.class, "check=true");
        for (final WorkerProcess worker : List.of(ours, copy))
        {
            worker.tell(Systems.load(records, valueLength));
        }
        return contest.with(OURS, ours).with(CHECKED, copy);
    }

    private void compare(
        final Contest get, final Contest getAll, final Contest put, final Contest paused, final Contest kib,
        final Contest kib64)
    {
        results.compare("GET / Chronicle Map getUsing", get.of(OURS), get.of(CHRONICLE), 0.8);
        results.compare("GET / plain dependent copy", get.of(OURS), get.of(COPY), 2.5);
        results.compare("getAll of 64 / Chronicle Map getUsing", getAll.of(OURS), getAll.of(CHRONICLE), 0.3);
        results.compare("GET of 1 KiB / plain copy and check", kib.of(OURS), kib.of(CHECKED), 2);
        results.compare("GET of 64 KiB / plain copy and check", kib64.of(OURS), kib64.of(CHECKED), 2);
        results.compare("PUT, spinning / Chronicle Map put", put.of(OURS), put.of(CHRONICLE), 4);
        results.compare("PUT after a pause / Redis SET (Jedis)", paused.of(OURS), paused.of(REDIS), 1);
        results.compare("PUT after a pause / memcached set", paused.of(OURS), paused.of(MEMCACHED));
        results.compare("PUT, spinning / Redis SET (Jedis)", put.of(OURS), put.of(REDIS));
        results.compare("PUT, spinning / memcached set", put.of(OURS), put.of(MEMCACHED));
        results.compare("GET / Redis GET (Jedis)", get.of(OURS), get.of(REDIS));
        results.compare("GET / memcached get", get.of(OURS), get.of(MEMCACHED));
        results.compare("getAll of 64 / Redis MGET (Jedis)", getAll.of(OURS), getAll.of(REDIS));
        results.compare("getAll of 64 / memcached get of 64", getAll.of(OURS), getAll.of(MEMCACHED));
    }
}
