package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.testing.HangGuard;

/**
 * Three servers that are to be one cluster, as processes, and others that may join it. For one thread.
 */
final class KvctlMembers
{
    static final int COUNT = 3;
    /** For commands about a cluster, and on it: on a busy machine elections come one after the other. */
    static final String DEADLINE = HangGuard.seconds(240) + "s";
    private static final int MOST = 6;
    private static final int NOT_SERVED = 9;

    private final Path directory;
    private final List<String> settings;
    private final List<Member> members = new ArrayList<>();
    private final Map<Integer, String> zones = new HashMap<>();
    private final List<String> addresses = new ArrayList<>();
    private final List<String> peers = new ArrayList<>();

    /** A server process, and what it prints. */
    record Member(Process process, BufferedReader out)
    {
        String line() throws IOException
        {
            return out.readLine();
        }

        void end(final boolean isKilled) throws Exception
        {
            if (isKilled)
            {
                process.toHandle().destroyForcibly();
            }
            else
            {
                process.toHandle().destroy();
            }
            assertTrue(process.waitFor(HangGuard.seconds(240), TimeUnit.SECONDS));
            out.close();
        }
    }

    /**
     * Chooses the ports.
     *
     * @param directory with the servers' directories.
     * @param settings  of each server, besides the usual ones.
     */
    KvctlMembers(final Path directory, final String... settings) throws IOException
    {
        this.directory = directory;
        this.settings = List.of(settings);
        addresses.addAll(FreePorts.addresses(MOST));
        peers.addAll(FreePorts.addresses(MOST));
    }

    /** In which zone a server is from its next start on. */
    void zone(final int number, final String name)
    {
        zones.put(number, name);
    }

    Path data(final int number)
    {
        return directory.resolve("member-" + number);
    }

    String address(final int number)
    {
        return addresses.get(number);
    }

    /** Of the first three. */
    List<String> addresses()
    {
        return addresses.subList(0, COUNT);
    }

    String peer(final int number)
    {
        return peers.get(number);
    }

    Member member(final int number)
    {
        return members.get(number);
    }

    /** Starts one of the others, which is blank then. */
    Member startBlank(final int number) throws IOException
    {
        final Member member = start(number);
        assertEquals("blank: " + addresses.get(number) + " peer-listen=" + peers.get(number), member.line());
        return member;
    }

    Member start(final int number) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of("server", "--data", data(number).toString(), "--memory",
            "32m", "--device", "tcp", "--listen", addresses.get(number), "--peer-listen", peers.get(number)));
        arguments.addAll(settings);
        if (zones.containsKey(number))
        {
            arguments.addAll(List.of("--zone", zones.get(number)));
        }
        final Process process = KvctlCall.of(arguments.toArray(String[]::new)).start();
        final Member member =
            new Member(process, new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)));
        members.add(member);
        final Thread reader = new Thread(() -> drain(process), "member-log");
        reader.setDaemon(true);
        reader.start();
        return member;
    }

    private static void drain(final Process process)
    {
        try (BufferedReader log = process.errorReader(UTF_8))
        {
            log.lines().forEach(System.err::println);
        }
        catch (final IOException | UncheckedIOException e)
        {
            System.err.println("log of a member ended: " + e.getMessage());
        }
    }

    /** Starts all servers, which are blank then. */
    void startAll() throws IOException
    {
        for (int i = 0; i < COUNT; i++)
        {
            startBlank(i);
        }
    }

    static KvctlCall.Result create(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("cluster", "create"));
        all.addAll(List.of(arguments));
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", DEADLINE).runHere();
    }

    /** Calls a command about the cluster, with the first two members to begin with. */
    KvctlCall.Result cluster(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(arguments));
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", DEADLINE)
            .with("KVCTL_SERVER", addresses.get(0) + "," + addresses.get(1)).runHere();
    }

    static KvctlCall.Result status(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("cluster", "status"));
        all.addAll(List.of(arguments));
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", DEADLINE).runHere();
    }

    /** Waits until the servers, which were told to be a cluster, are ready. */
    void awaitReady() throws IOException
    {
        for (int i = 0; i < COUNT; i++)
        {
            assertTrue(members.get(i).line().startsWith("ready: " + addresses.get(i)));
        }
    }

    /** Waits until all partitions are served. */
    void awaitServed() throws InterruptedException
    {
        awaitServed(addresses.get(0), addresses.get(1));
    }

    /**
     * The member that leads a partition, which the first one may not know for a moment, on a busy machine.
     *
     * @param partition that somebody leads, or will.
     * @return the leader.
     */
    Member leader(final int partition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        while (true)
        {
            final ClusterState state = StoreClient.builder().server(addresses.get(0))
                .deadline(Duration.ofSeconds(HangGuard.seconds(60))).clusterState();
            final int leader = (int)state.partitions().get(partition).leader();
            if (leader != 0)
            {
                return members.get(leader - 1);
            }
            assertTrue(System.nanoTime() - endNs < 0, "nobody leads: partition=" + partition);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /**
     * Asks until all partitions are served: on a busy machine their leaders may change at any time.
     *
     * @return what the last question has printed.
     */
    static String awaitServed(final String... arguments) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        KvctlCall.Result result = status(arguments);
        while (result.exitCode() != 0)
        {
            assertEquals(NOT_SERVED, result.exitCode(), result.err());
            assertTrue(System.nanoTime() - endNs < 0, result.out());
            TimeUnit.MILLISECONDS.sleep(100);
            result = status(arguments);
        }
        assertEquals("", result.err());
        return result.out();
    }

    /** Kills the servers that still run. */
    void close() throws Exception
    {
        for (final Member member : members)
        {
            member.end(true);
        }
    }
}
