package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.ProcessorTime;
import org.onesided.testing.ServerProcess;

/**
 * Times over the device {@code tcp}, beside Redis over the same loopback, and what both ends take while nothing is
 * asked.
 */
final class TcpSpeed
{
    private static final String SPINNING = "onesided, spinning";
    private static final String WAITING = "onesided";
    private static final String REDIS = "Redis (Jedis)";
    private static final int LARGE = 64 << 10;
    private static final String GET = "tcp: GET";
    private static final String GET_ALL = "tcp: getAll of 64 keys, per key";
    private static final String GET_LARGE = "tcp: GET of 64 KiB";
    private static final String IDLE = "tcp: idle";
    /** What can be measured. */
    static final List<String> TITLES = List.of(GET, GET_ALL, GET_LARGE, IDLE);

    /** Waits that come after work, such as spinning, are over by then. */
    private static final int CALM_MILLIS = 3000;
    private static final int IDLE_TURNS = 30;

    private final Lab lab;
    private final Results results;
    private final Settings settings;
    private final Systems systems;

    TcpSpeed(final Lab lab, final Results results, final Settings settings, final Systems systems)
    {
        this.lab = lab;
        this.results = results;
        this.settings = settings;
        this.systems = systems;
    }

    void run() throws IOException
    {
        if (TITLES.stream().noneMatch(settings::wants))
        {
            return;
        }
        final String load = Systems.load(settings.records(), Settings.VALUE_LENGTH);
        final ServerProcess server = server(settings.records(), Settings.VALUE_LENGTH);
        final WorkerProcess spinning = client(server, "spinning");
        spinning.tell(load);
        final WorkerProcess waiting = client(server, "default");
        waiting.tell(Systems.attach(settings));
        final Contest get = contest(GET, "operation=get batch=16")
            .with(WAITING, waiting).with(SPINNING, spinning).with(REDIS, systems.redis());
        final Contest getAll = contest(GET_ALL, "operation=getAll keys=64 batch=1")
            .with(WAITING, waiting).with(SPINNING, spinning).with(REDIS, systems.redis());
        final Contest large = large();
        final RedisProgram program = RedisProgram.start(lab, results, settings, settings.wants(GET_ALL));
        final List<Contest> contests = List.of(get, getAll, large);
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
        results.compare("tcp: GET / Redis GET (Jedis)", get.of(WAITING), get.of(REDIS), 1);
        results.compare("tcp: GET, spinning / Redis GET (Jedis)", get.of(SPINNING), get.of(REDIS));
        // Half as many again in the same time.
        results.compare("tcp: getAll of 64 / redis-benchmark GET -P 64", getAll.of(WAITING), program.get(64), 1 / 1.5);
        results.compare("tcp: getAll of 64, spinning / redis-benchmark GET -P 64", getAll.of(SPINNING),
            program.get(64));
        results.compare("tcp: getAll of 64 / Redis MGET (Jedis)", getAll.of(WAITING), getAll.of(REDIS));
        results.compare("tcp: GET of 64 KiB / Redis GET (Jedis)", large.of(WAITING), large.of(REDIS), 1 / 1.5);
        results.compare("tcp: GET of 64 KiB, spinning / Redis GET (Jedis)", large.of(SPINNING), large.of(REDIS));
        if (settings.wants(IDLE))
        {
            idle(server, waiting);
        }
    }

    private Contest contest(final String title, final String command)
    {
        return new Contest(title, command, settings.millis(), settings.wants(title));
    }

    private ServerProcess server(final long records, final int valueLength) throws IOException
    {
        return Systems.server(lab, records, valueLength, "--device", "tcp:127.0.0.1:0");
    }

    private WorkerProcess client(final ServerProcess server, final String waiting) throws IOException
    {
        return lab.own(StoreSubject.class, "server=" + server.address(), "device=tcp", "waiting=" + waiting);
    }

    /** Servers with larger values. */
    private Contest large() throws IOException
    {
        final Contest contest = contest(GET_LARGE, "operation=get batch=16");
        if (!settings.wants(GET_LARGE))
        {
            return contest;
        }
        final long records = settings.records(LARGE);
        final ServerProcess server = server(records, LARGE);
        final WorkerProcess spinning = client(server, "spinning");
        spinning.tell(Systems.load(records, LARGE));
        final WorkerProcess waiting = client(server, "default");
        waiting.tell("attach count=" + records + " value=" + LARGE);
        contest.with(WAITING, waiting).with(SPINNING, spinning);
        final Optional<String> program = PeerServer.find("redis-server");
        if (program.isPresent())
        {
            final PeerServer peer = lab.redis(program.get());
            final WorkerProcess redis = lab.peer("org.onesided.peers.RedisSubject", "port=" + peer.port());
            redis.tell(Systems.load(records, LARGE));
            contest.with(REDIS, redis);
        }
        return contest;
    }

    /** Processor time while sessions are open and nothing is asked. */
    private void idle(final ServerProcess server, final WorkerProcess client) throws IOException
    {
        pause(CALM_MILLIS);
        final ProcessorTime serverBefore = server.processorTime();
        final long clientBefore = processorNs(client.pid());
        final long beginNs = System.nanoTime();
        pause(IDLE_TURNS * settings.millis());
        final long elapsedNs = System.nanoTime() - beginNs;
        results.add(Figure.atMost(
            "tcp: processor time of an idle server", 100.0 * serverBefore.sinceNs() / elapsedNs,
            "% of a core", 1));
        results.add(Figure.atMost(
            "tcp: processor time of an idle client",
            100.0 * (processorNs(client.pid()) - clientBefore) / elapsedNs, "% of a core", 1));
    }

    private static long processorNs(final long pid) throws IOException
    {
        long sum = 0;
        try (var threads = Files.list(Path.of("/proc", Long.toString(pid), "task")))
        {
            for (final Path thread : threads.toList())
            {
                sum += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
            }
        }
        return sum;
    }

    private static void pause(final long millis)
    {
        try
        {
            TimeUnit.MILLISECONDS.sleep(millis);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
