package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.shm.MountedSharedMemory;

/**
 * How a server starts, refuses to start, and stops.
 */
class KvctlServerTest
{
    @TempDir
    private Path directory;
    /** What programs that another test killed have left, until the next one starts. */
    private final Set<Path> before = SharedMemory.content();

    @Test
    void shouldPrintOneLineWhenReady() throws Exception
    {
        try (KvctlServer server = start("--memory", "128MiB", "--device", "shm", "--shards", "3"))
        {
            assertTrue(
                server.readyLine().matches(
                    "ready: 127\\.0\\.0\\.1:[0-9]+ device=shm memory=128 MiB huge-pages=(yes|no) shards=3"),
                server.readyLine());
            assertFalse(server.readyLine().contains("127.0.0.1:0 "), server.readyLine());
        }
    }

    @Tag("full")
    @Test
    void shouldNameTheOptionThatAsksForHugePagesThereAreNot() throws Exception
    {
        try (MountedSharedMemory mounted = MountedSharedMemory.at(directory, "size=128m,huge=never"))
        {
            final KvctlCall.Result result = KvctlCall.of("server", "--listen", "127.0.0.1:0", "--memory", "64m",
                "--device", "shm", "--huge-pages", "on").flag("-Donesided.shm.dir=" + mounted.directory()).run();
            assertEquals(1, result.exitCode(), result.err());
            assertTrue(result.err().contains("kvctl server: --huge-pages on: allocate: "), result.err());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void shouldStopCleanlyWhenToldTo(final String signal) throws Exception
    {
        final KvctlServer server = start("--memory", "64m", "--shards", "2");
        kvctl("put", "k", "v").to(server).run().assertDone();
        assertFalse(made().isEmpty(), "the store should be here");

        server.signal(signal);

        assertEquals(0, server.await(), server.log());
        assertEquals(Set.of(), made());
        assertFalse(server.log().contains("\tat "), server.log());
        kvctl("get", "k").to(server).runHere().assertFailed(4, server.address());
    }

    @Tag("full")
    @Test
    void shouldStopWhileClientsAreConnected() throws Exception
    {
        final KvctlServer server = start("--memory", "64m");
        final Process client = kvctl("import", "-").to(server).with("KVCTL_DEADLINE", "5s").start();
        client.getOutputStream().write("k\tv\n".getBytes());
        client.getOutputStream().flush();
        awaitKey(server);

        server.signal("TERM");

        assertEquals(0, server.await(), server.log());
        client.getOutputStream().write("l\tw\n".getBytes());
        client.getOutputStream().close();
        assertTrue(client.waitFor() != 0);
        final String err = new String(client.getErrorStream().readAllBytes());
        assertTrue(err.startsWith("kvctl import: standard input:2: "), err);
        assertEquals(1, err.lines().count(), err);
        assertEquals(Set.of(), made());
    }

    @Tag("full")
    @Test
    void shouldLeaveNothingOfAServerThatWasKilledOnceTheNextOneStarts() throws Exception
    {
        final KvctlServer killed = start("--memory", "64m");
        killed.signal("KILL");
        assertEquals(137, killed.await());
        final Set<Path> left = SharedMemory.content();

        try (KvctlServer next = start("--memory", "64m"))
        {
            left.retainAll(SharedMemory.content());
            assertEquals(Set.of(), left);
            kvctl("put", "k", "v").to(next).run().assertDone();
        }
    }

    @Tag("full")
    @Test
    void shouldLogALinePerEvent() throws Exception
    {
        final KvctlServer server = start("--memory", "64m");
        kvctl("put", "k", "v").to(server).run().assertDone();
        server.signal("TERM");
        assertEquals(0, server.await());

        assertFalse(server.log().isEmpty());
        server.log().lines().forEach(line -> assertTrue(
            line.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\S+ (INFO|WARN) .+"), line));
    }

    @Tag("full")
    @Test
    void shouldWarnOfDevicesThatOthersCannotReachThoughTheyReachTheServer() throws Exception
    {
        final Path token = Files.writeString(directory.resolve("token"), "secret");
        try (KvctlServer server = KvctlServer.start(kvctl("server", "--memory", "64m", "--listen", "0.0.0.0:0",
            "--device", "tcp:127.0.0.1:0", "--token-file", token.toString())))
        {
            server.signal("TERM");
            assertEquals(0, server.await(), server.log());
            assertTrue(server.log().contains(" WARN only clients on this host can use this device, whatever the " +
                "address, let it listen at one that others reach: device=tcp:127.0.0.1:"), server.log());
        }
    }

    @Tag("full")
    @Test
    void shouldLogALineOfJsonPerEvent() throws Exception
    {
        final KvctlServer server = start("--memory", "64m", "--log-format", "json");
        kvctl("put", "k", "v").to(server).run().assertDone();
        server.signal("TERM");
        assertEquals(0, server.await());

        assertTrue(
            server.log().contains("\"message\":\"listening\",\"data\":{\"address\":\"" + server.address() + "\","),
            server.log());
        server.log().lines().forEach(line -> assertTrue(
            line.matches("\\{\"time\":\"[0-9-]+T[0-9:.]+Z\",\"level\":\"(INFO|WARN)\",\"logger\":.+}"), line));
    }

    @Tag("full")
    @Test
    void shouldNameAPortThatIsTaken() throws Exception
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final String address = "127.0.0.1:" + taken.getLocalPort();
                final KvctlCall call = kvctl("server", "--memory", "64m", "--listen", address);
            call.run().assertFailed(1, "kvctl server: ", address);

            assertEquals(Set.of(), made());
        }
    }

    @Tag("full")
    @Test
    void shouldNameAnAddressThatIsNotThisMachines() throws Exception
    {
        final Path token = Files.writeString(directory.resolve("token"), "secret");

        kvctl("server", "--listen", "192.0.2.1:19875", "--token-file", token.toString()).run()
            .assertFailed(1, "kvctl server: ", "cannot listen there", "192.0.2.1");
        kvctl("server", "--listen", "192.0.2.1:19875", "--token-file", token.toString(), "--device", "shm").run()
            .assertFailed(1, "kvctl server: ", "192.0.2.1:19875");
        kvctl("server", "--listen", "no-such-host.invalid:1", "--token-file", token.toString()).run()
            .assertFailed(1, "kvctl server: ", "no-such-host.invalid");
    }

    @Test
    void shouldNameAPortThatIsPrivileged() throws Exception
    {
        assumeTrue(!"root".equals(System.getProperty("user.name")), "root may listen everywhere");

        kvctl("server", "--listen", "127.0.0.1:80").run().assertFailed(1, "127.0.0.1:80");
    }

    @Tag("full")
    @Test
    void shouldListenBeyondThisMachineOnlyWithAToken() throws Exception
    {
        kvctl("server", "--listen", "0.0.0.0:0").run().assertFailed(2, "kvctl server: without a token a server " +
            "listens on this machine only: give one with --token-file or KVCTL_TOKEN, ask for certificates with " +
            "--tls-client-ca, or listen on 127.0.0.1: listen=0.0.0.0:0\n");
        kvctl("server", "--listen", "127.0.0.1:0", "--device", "shm,tcp:0.0.0.0:0").run()
            .assertFailed(2, "or let it listen on 127.0.0.1: device=tcp:0.0.0.0:0", "--token-file");
        kvctl("server", "--listen", "0.0.0.0:0", "--tls-certificate", "a.crt", "--tls-key", "a.key").run()
            .assertFailed(2, "without a token ", "--tls-client-ca");

        final Path token = Files.writeString(directory.resolve("token"), "secret");
        try (KvctlServer server = KvctlServer.start(
            kvctl("server", "--memory", "64m", "--listen", "0.0.0.0:0", "--token-file", token.toString())))
        {
            final String address = server.address().replace("0.0.0.0", "127.0.0.1");
            kvctl("--server", address, "put", "k", "v").with("KVCTL_TOKEN", "secret").run().assertDone();
        }
    }

    @Tag("full")
    @Test
    void shouldNameVariablesThatAreNoSettingsWhereTheStartIsRefused() throws Exception
    {
        final KvctlCall.Result refused =
            kvctl("server", "--listen", "0.0.0.0:0").with("KVCTL_SERVER_TOKEN", "secret").run();

        assertEquals(2, refused.exitCode(), refused.err());
        final List<String> lines = refused.err().lines().toList();
        assertEquals(2, lines.size(), refused.err());
        assertTrue(lines.get(0).endsWith(" WARN variable is not a setting, correct its name or remove it: " +
            "variable=KVCTL_SERVER_TOKEN"), refused.err());
        assertTrue(lines.get(1).startsWith("kvctl server: without a token "), refused.err());
    }

    @Test
    void shouldLogInTheFormThatWasAskedForWhereTheStartIsRefused() throws Exception
    {
        final KvctlCall.Result refused = kvctl("server", "--log-format", "json", "--tls-client-ca", "ca.crt")
            .with("KVCTL_SERVER_TLS_CERT", "server.crt").run();

        assertEquals(2, refused.exitCode(), refused.err());
        assertTrue(refused.err().contains("\"variable\":\"KVCTL_SERVER_TLS_CERT\""), refused.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--memory 100t|--memory is larger than this machine",
        "--memory some|not a size",
        "--shards 0|shards",
        "--shards 1000000|shards",
        "--listen nowhere|not an address",
        "--spin sometimes|never or always",
        "--tls-certificate a.crt|the certificate's key is missing, give it, too (kvctl: --tls-key): certificate=a.crt",
        "--tls-client-ca ca.crt|give them (kvctl: --tls-certificate and --tls-key): authorities=ca.crt",
        "--record-size 100|record-size",
    })
    void shouldNameOptionsThatCannotBe(final String options, final String message)
    {
        kvctl(("server " + options).split(" ")).runHere().assertFailed(2, "kvctl server: ", message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--memory 1k|memory",
        "--memory 64m --memory-initial 65m|--memory-initial and --memory): memoryInitial=68157440 memory=67108864",
        "--device warp|warp",
        "--device tcp:127.0.0.1|name it as tcp:INTERFACE_OR_ADDRESS:PORT: device=tcp:127.0.0.1",
        "--device shm,tcp:127.0.0.1:70000|out of range 0 to 65535",
        "--shards 8 --credits 1024 --message-size 65536|take fewer credits, shorter messages or fewer shards",
    })
    void shouldNameAStoreThatCannotBe(final String options, final String message) throws Exception
    {
        kvctl(("server " + options).split(" ")).run().assertFailed(2, "kvctl server: ", message);

        assertEquals(Set.of(), made());
    }

    @Tag("full")
    @Test
    void shouldNameATokenFileThatCannotBeUsed() throws Exception
    {
        kvctl("server", "--token-file", "/nonexistent").run()
            .assertFailed(1, "cannot read the token file /nonexistent: no such file");
        kvctl("server", "--token-file", "/dev/null").run().assertFailed(2, "/dev/null", "is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--tls-certificate FILE --tls-key FILE", "--tls-ca FILE", "--token-file FILE"})
    void shouldEndAlikeWhateverFileCannotBeUsed(final String options) throws Exception
    {
        final String none = directory.resolve("none").toString();
        final String empty = Files.createFile(directory.resolve("empty")).toString();
        kvctl(("get k " + options.replace("FILE", none)).split(" ")).runHere()
            .assertFailed(1, "cannot read", none, "no such file");
        kvctl(("get k " + options.replace("FILE", empty)).split(" ")).runHere().assertFailed(2, empty);
        if (!options.startsWith("--tls-ca"))
        {
            final String server = "server --memory 64m --listen 127.0.0.1:0 ";
            kvctl((server + options.replace("FILE", none)).split(" ")).runHere()
                .assertFailed(1, "cannot read", none, "no such file");
            kvctl((server + options.replace("FILE", empty)).split(" ")).runHere().assertFailed(2, empty);
        }
    }

    @Test
    void shouldDoAsItsConfigurationFileSays() throws Exception
    {
        final Path config = Files.writeString(directory.resolve("server.properties"),
            "listen = 127.0.0.1:0\nmemory = 32m\ndevice = shm\nshards = 2\nmetrics = 0\n");

        try (KvctlServer server = KvctlServer.start(kvctl("server", "--config", config.toString())))
        {
            assertTrue(server.readyLine().matches(
                "ready: 127\\.0\\.0\\.1:[0-9]+ device=shm memory=32 MiB huge-pages=(yes|no) shards=2 " +
                    "metrics=127\\.0\\.0\\.1:[1-9][0-9]+"), server.readyLine());
            final String address = server.readyLine().replaceFirst(".* metrics=", "");
            kvctl("put", "k", "v").to(server).run().assertDone();
            assertEquals("ready\n", read("http://" + address + "/health"));
            final String metrics = read("http://" + address + "/metrics");
            assertTrue(metrics.contains("onesided_request_duration_seconds_count{kind=\"put\",shard=\"0\"}"), metrics);
        }
    }

    @Tag("full")
    @Test
    void shouldNameAMetricsPortThatIsTaken() throws Exception
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            kvctl("server", "--memory", "64m", "--listen", "127.0.0.1:0", "--metrics", "" + taken.getLocalPort()).run()
                .assertFailed(1, "cannot serve metrics", "--metrics=127.0.0.1:" + taken.getLocalPort());
            assertEquals(Set.of(), made());
        }
    }

    private static String read(final String uri) throws Exception
    {
        try (InputStream body = URI.create(uri).toURL().openStream())
        {
            return new String(body.readAllBytes());
        }
    }

    private static void awaitKey(final KvctlServer server) throws Exception
    {
        int exitCode;
        do
        {
            exitCode = kvctl("get", "k").to(server).run().exitCode();
        }
        while (exitCode == 3);
        assertEquals(0, exitCode);
    }

    /** What this test's programs have in shared memory. */
    private Set<Path> made()
    {
        final Set<Path> made = SharedMemory.content();
        made.removeAll(before);
        return made;
    }

    private static KvctlServer start(final String... options) throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of("server", "--listen", "127.0.0.1:0"));
        arguments.addAll(List.of(options));
        return KvctlServer.start(kvctl(arguments.toArray(String[]::new)));
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).flag("-Donesided.shm.dir=" + SharedMemory.DIRECTORY);
    }
}
