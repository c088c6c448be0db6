package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.HangGuard;

/**
 * Servers become a cluster, as their operator meets it.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlClusterTest
{
    private static final int SERVERS = 3;
    private static final int NOT_SERVED = 9;

    @TempDir
    private Path directory;

    private final List<Member> members = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final List<String> peers = new ArrayList<>();

    /** A server process, and what it prints. */
    private record Member(Process process, BufferedReader out)
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

    @BeforeEach
    void choosePorts() throws IOException
    {
        final List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 2 * SERVERS; i++)
        {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            (i < SERVERS ? addresses : peers).add("127.0.0.1:" + sockets.get(i).getLocalPort());
        }
        for (final ServerSocket socket : sockets)
        {
            socket.close();
        }
    }

    @AfterEach
    void close() throws Exception
    {
        for (final Member member : members)
        {
            member.end(true);
        }
    }

    private Path data(final int number)
    {
        return directory.resolve("member-" + number);
    }

    private Member start(final int number) throws IOException
    {
        final Process process = KvctlCall.of("server", "--data", data(number).toString(), "--memory", "32m",
            "--device", "tcp", "--listen", addresses.get(number), "--peer-listen", peers.get(number)).start();
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

    private void startAll() throws IOException
    {
        for (int i = 0; i < SERVERS; i++)
        {
            assertEquals("blank: " + addresses.get(i) + " peer-listen=" + peers.get(i), start(i).line());
        }
    }

    private static KvctlCall.Result create(final String... arguments) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of("cluster", "create"));
        all.addAll(List.of(arguments));
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", "60s").runHere();
    }

    private static KvctlCall.Result status(final String... arguments) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of("cluster", "status"));
        all.addAll(List.of(arguments));
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", "60s").runHere();
    }

    private static void assertRefused(final int exitCode, final String text, final KvctlCall.Result result)
    {
        assertEquals(exitCode, result.exitCode(), result.err());
        assertTrue(result.err().contains(text), result.err());
        assertEquals("", result.out());
    }

    private void awaitServed() throws Exception
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        KvctlCall.Result result = status(addresses.get(0), addresses.get(1));
        while (result.exitCode() != 0)
        {
            assertEquals(NOT_SERVED, result.exitCode(), result.err());
            assertTrue(System.nanoTime() - endNs < 0, result.out());
            TimeUnit.MILLISECONDS.sleep(100);
            result = status(addresses.get(0), addresses.get(1));
        }
        assertEquals("", result.err());
    }

    @Test
    void shouldMakeThreeServersACluster() throws Exception
    {
        startAll();
        final KvctlCall.Result formed = create(
            "--partitions", "4", "--lease", "500ms", "-o", "json", addresses.get(0), addresses.get(1),
            addresses.get(2));
        assertEquals(0, formed.exitCode(), formed.err());
        assertTrue(formed.out().contains("\"partitions\":4,\"lease_ms\":500"), formed.out());
        for (int i = 0; i < SERVERS; i++)
        {
            assertTrue(members.get(i).line().startsWith("ready: " + addresses.get(i)));
        }
        awaitServed();
        final String json = status("-o", "json", addresses.get(2)).out();
        assertTrue(json.contains("\"unserved\":0"), json);
        assertTrue(json.contains("\"address\":\"" + addresses.get(1) + "\",\"reachable\":true"), json);
        assertTrue(json.contains("\"partition\":3"), json);

        final KvctlCall.Result again = create(addresses.toArray(String[]::new));
        assertRefused(4, "member of a cluster already: table=", again);
        assertTrue(again.err().contains("nothing was changed"), again.err());

        members.get(2).end(true);
        final KvctlCall.Result one = status(addresses.get(2) + "," + addresses.get(0));
        assertTrue(one.out().contains(addresses.get(2) + "  no"), one.out());
        members.get(1).end(false);
        final KvctlCall.Result info = KvctlCall.of("data", "info", data(1).toString()).runHere();
        assertTrue(info.out().contains("member  2 of 3, lease 500ms"), info.out());
        // What is left is no majority.
        final KvctlCall.Result lonely = status(addresses.get(0));
        assertTrue(lonely.exitCode() == NOT_SERVED || lonely.exitCode() == 0, lonely.err());
    }

    @Test
    void shouldChangeNothingIfOneServerCannotBeAMember() throws Exception
    {
        startAll();
        final String alone;
        try (KvctlServer server = KvctlServer.start())
        {
            alone = server.address();
            assertRefused(4, "this server is not blank", create(addresses.get(0), addresses.get(1), alone));
            assertRefused(1, "not a member of a cluster", status(alone));
        }
        assertRefused(4, "nothing listens there", create(addresses.get(0), addresses.get(1), alone));
        assertRefused(2, "the same", create(
            addresses.get(0), addresses.get(1), addresses.get(1).replace("127.0.0.1", "localhost")));
        assertRefused(2, "1, 3, 5 or 7 members", create(addresses.get(0), addresses.get(1)));
        assertRefused(2, "replicas=1 servers=3", create(
            "--replicas", "1", addresses.get(0), addresses.get(1), addresses.get(2)));
        assertRefused(2, "1, 3, 5 or 7 members", create(
            "a:1", "a:2", "a:3", "a:4", "a:5", "a:6", "a:7", "a:8", "a:9"));
        assertRefused(2, "--partitions", create("--partitions", "65", addresses.get(0)));
        assertRefused(2, "--lease", create("--lease", "1ms", addresses.get(0)));
        assertRefused(2, "not a server's address", create("[::1"));
        assertRefused(4, "this server is blank", status(addresses.get(0)));
        assertRefused(4, "kvctl cluster create",
            KvctlCall.of("get", "key").with("KVCTL_SERVER", addresses.get(0)).runHere());
        for (int i = 0; i < SERVERS; i++)
        {
            members.get(i).end(false);
            assertEquals(0, members.get(i).process().exitValue());
            assertFalse(Files.exists(data(i)), "what a blank server has made for nothing");
        }
    }

    @Test
    void shouldRefuseToWaitWithOptionsOfNoMember() throws Exception
    {
        KvctlCall.of("server", "--data", data(0).toString(), "--listen", "127.0.0.1:0", "--peer-listen",
            peers.get(0)).runHere().assertFailed(2, "name its ports");
        KvctlCall.of("server", "--listen", addresses.get(0), "--peer-listen", peers.get(0)).runHere()
            .assertFailed(2, "--data");
        KvctlCall.of("server", "--data", data(0).toString(), "--listen", addresses.get(0), "--peer-listen",
            "192.0.2.1:7").runHere().assertFailed(2, "this machine only");
        try (Stream<Path> made = Files.list(directory))
        {
            assertEquals(0, made.count());
        }
    }

    /** Half a minute, most of it for starts, an election and a lease. */
    @Test
    @Tag("full")
    void shouldShowWhatClientsNoticeOfAKilledLeader() throws Exception
    {
        final KvctlCall.Result result = KvctlCall.of("cluster", "demo", "--memory", "64m").run();
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.out().contains("nothing is lost: "), result.out());
        assertTrue(result.out().contains("they left nothing behind"), result.out());
    }
}
