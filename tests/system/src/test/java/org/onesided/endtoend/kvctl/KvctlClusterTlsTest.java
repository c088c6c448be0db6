package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.testing.HangGuard;

/**
 * Servers at several addresses become a cluster whose members know each other by certificates.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlClusterTlsTest
{
    private static final int SERVERS = 3;
    private static final Pattern LEADER = Pattern.compile("(?m)^0 +1,2,3 +([1-3]) +[0-9]+ +yes");

    @TempDir
    private Path directory;

    private final MemberProcess[] members = new MemberProcess[SERVERS];
    private final List<String> addresses = new ArrayList<>();
    private final List<String> peers = new ArrayList<>();
    private Path authority;
    private Path otherAuthority;
    private Path token;

    /** As on several machines, but that all are this one. */
    @BeforeEach
    void prepare() throws IOException, GeneralSecurityException
    {
        for (int i = 0; i < SERVERS; i++)
        {
            final String host = "127.0.0." + (i + 1);
            addresses.add(host + ":" + FreePorts.take());
            peers.add(host + ":" + FreePorts.take());
        }
        final TestAuthority cluster = new TestAuthority("cluster");
        authority = cluster.write(directory.resolve("ca.crt"));
        final TestAuthority other = new TestAuthority("other");
        otherAuthority = other.write(directory.resolve("other.crt"));
        for (int i = 0; i < SERVERS; i++)
        {
            cluster.sign("member-" + i, Duration.ofDays(1), "127.0.0." + (i + 1)).write(directory, "member-" + i);
            other.sign("stranger-" + i, Duration.ofDays(1), "127.0.0." + (i + 1)).write(directory, "stranger-" + i);
        }
        token = Files.writeString(directory.resolve("token"), "sesame");
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(members);
    }

    private MemberProcess start(final int number, final String... more) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "server", "--data", directory.resolve("data-" + number).toString(), "--memory", "32m", "--device", "tcp",
            "--listen", addresses.get(number), "--peer-listen", peers.get(number), "--token-file", token.toString(),
            "--handshake-timeout", "1m"));
        arguments.addAll(List.of(more));
        members[number] = MemberProcess.start(arguments.toArray(String[]::new));
        return members[number];
    }

    private String[] certificates(final String name, final int number, final Path of)
    {
        return new String[]{
            "--tls-peer-certificate", directory.resolve(name + "-" + number + ".crt").toString(),
            "--tls-peer-key", directory.resolve(name + "-" + number + ".key").toString(),
            "--tls-peer-ca", of.toString()};
    }

    private void startBlank(final int number, final String... more) throws IOException
    {
        assertEquals("blank: " + addresses.get(number) + " peer-listen=" + peers.get(number),
            start(number, more).line());
    }

    private KvctlCall.Result cluster(final String command, final List<String> servers) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of("cluster", command, "--token-file", token.toString()));
        if (command.equals("create"))
        {
            all.addAll(List.of("--partitions", "2", "--lease", "500ms"));
        }
        all.addAll(servers);
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere();
    }

    /** What the command shows once all partitions are served, and so many members answer. */
    private String awaitServed(final int reachable) throws Exception
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        while (true)
        {
            final KvctlCall.Result result = cluster("status", List.of(String.join(",", addresses)));
            final long there = result.out().lines().filter((line) -> line.matches("\\d .*:\\d+ +yes.*")).count();
            if (result.exitCode() == 0 && there == reachable)
            {
                return result.out();
            }
            assertTrue(System.nanoTime() - endNs < 0, result.out() + result.err());
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private static int leader(final String status)
    {
        final Matcher leader = LEADER.matcher(status);
        assertTrue(leader.find(), status);
        return Integer.parseInt(leader.group(1)) - 1;
    }

    @Test
    void shouldServeWithinTlsAndKeepStrangersOut() throws Exception
    {
        for (int i = 0; i < SERVERS; i++)
        {
            startBlank(i, certificates("member", i, authority));
        }
        final KvctlCall.Result formed = cluster("create", addresses);
        assertEquals(0, formed.exitCode(), formed.err());
        final int leader = leader(awaitServed(SERVERS));
        members[leader].awaitLogged("of=3 peer=" + peers.get(leader) + " peer-tls=yes");
        try (StoreClient client = StoreClient.builder().server(String.join(",", addresses)).device("tcp")
            .token("sesame".getBytes(UTF_8)).deadline(Duration.ofSeconds(HangGuard.seconds(120))).build())
        {
            client.put("before", "1");
            members[leader].close();
            client.put("after", "2");
            assertEquals("1", client.get("before"));
            assertEquals("2", client.get("after"));
        }
        final MemberProcess other = members[(leader + 1) % SERVERS];

        // The member's data, but not its certificate: others refuse it, and it refuses others.
        start(leader, certificates("stranger", leader, otherAuthority))
            .awaitLogged("another member is not trusted: peer=127.0.0.");
        other.awaitLogged("it does not trust this member's certificate");
        members[leader].close();

        start(leader);
        other.awaitLogged("it does not speak TLS, start all members with --tls-peer-ca");
        members[leader].awaitLogged("if it is a member, all need --tls-peer-ca, or none");
        members[leader].close();

        start(leader, certificates("member", leader, authority));
        assertTrue(members[leader].line().startsWith("ready: " + addresses.get(leader)));
        awaitServed(SERVERS);
    }

    @Test
    void shouldFormNoClusterWhereSomeSpeakTlsAndOthersDoNot() throws Exception
    {
        startBlank(0, certificates("member", 0, authority));
        startBlank(1);
        startBlank(2, certificates("member", 2, authority));
        final KvctlCall.Result result = cluster("create", addresses);
        assertEquals(2, result.exitCode(), result.err());
        assertEquals("kvctl cluster create: nothing was changed, since members talk to each other within TLS or all " +
            "without: start all servers with --tls-peer-ca, or none: with=" + addresses.get(0) + "," +
            addresses.get(2) + " without=" + addresses.get(1) + "\n", result.err());
        assertFalse(Files.exists(directory.resolve("data-0").resolve("cluster")));
    }
}
