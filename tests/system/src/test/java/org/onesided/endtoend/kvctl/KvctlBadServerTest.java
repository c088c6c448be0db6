package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client command says when the server is not there, or is not one.
 */
class KvctlBadServerTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldNameAServerThatIsNotThere() throws Exception
    {
        for (final String command : new String[]{"get", "delete"})
        {
            KvctlCall.of("--server", "127.0.0.1:1", command, "k").runHere()
                .assertFailed(4, "kvctl " + command + ": ", "127.0.0.1:1");
        }
        KvctlCall.of("--server", "127.0.0.1:1", "put", "k", "v").runHere().assertFailed(4, "127.0.0.1:1");
        KvctlCall.of("--server", "127.0.0.1:1", "stats").runHere().assertFailed(4, "127.0.0.1:1");
        KvctlCall.of("--server", "127.0.0.1:1", "export").runHere().assertFailed(4, "127.0.0.1:1");
        KvctlCall.of("--server", "127.0.0.1:1", "import", "-").runHere().assertFailed(4, "127.0.0.1:1");
    }

    @Test
    void shouldNameAHostThatDoesNotExist() throws Exception
    {
        KvctlCall.of("--server", "no-such-host.invalid:19875", "get", "k").runHere()
            .assertFailed(4, "no-such-host.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:port", "127.0.0.1:99999", "127.0.0.1:-1", ":"})
    void shouldNameAnAddressThatIsNone(final String address) throws Exception
    {
        KvctlCall.of("--server", address, "get", "k").runHere().assertFailed(2, address);
    }

    @Test
    void shouldNameAServerThatSpeaksAnotherProtocol() throws Exception
    {
        for (final String answer : new String[]{
            "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
            "-ERR unknown command\r\n",
            "SSH-2.0-OpenSSH_9.2\r\n",
            ""})
        {
            try (FakeServer server = new FakeServer(answer.getBytes(US_ASCII), true))
            {
                KvctlCall.of("--server", server.address(), "--deadline", "2s", "get", "k").runHere()
                    .assertFailed(4, server.address());
            }
        }
    }

    @Test
    void shouldNotWaitForEverForAServerThatSaysNothing() throws Exception
    {
        try (FakeServer server = new FakeServer(new byte[0], false))
        {
            KvctlCall.of("--server", server.address(), "--deadline", "1s", "put", "k", "v").runHere()
                .assertFailed(4, server.address());
        }
    }

    @Tag("full")
    @Test
    void shouldSayAfterASecondOfSilenceWhatItWaitsFor() throws Exception
    {
        try (FakeServer server = new FakeServer(new byte[0], false))
        {
            final KvctlCall.Result result =
                KvctlCall.of("--server", server.address(), "--deadline", "10s", "get", "k").runWithHints();
            assertEquals(4, result.exitCode());
            final List<String> lines = result.err().lines().toList();
            assertEquals(2, lines.size(), result.err());
            assertTrue(lines.get(0).contains(server.address() + " has said nothing for a second"), result.err());
            assertTrue(lines.get(0).endsWith("trying on until the deadline"), result.err());
            assertTrue(lines.get(1).contains("nothing that speaks this protocol answers in time"), result.err());
        }
    }

    /** Where one is silent, others may say that they lead, and it may be back: it goes on, with the next round. */
    @Tag("full")
    @Test
    void shouldSayOfEachSilentMemberOfAClusterThatItIs() throws Exception
    {
        try (FakeServer one = new FakeServer(new byte[0], false);
            FakeServer other = new FakeServer(new byte[0], false))
        {
            final KvctlCall.Result result = KvctlCall.of(
                "--server", one.address() + ',' + other.address(), "--deadline", "4s", "get", "k").runWithHints();
            assertEquals(4, result.exitCode());
            final List<String> lines = result.err().lines().toList();
            assertEquals(3, lines.size(), result.err());
            assertTrue(lines.get(0).contains(one.address() + " has not answered for a second: "), result.err());
            assertTrue(lines.get(1).contains(other.address() + " has not answered for a second: "), result.err());
            assertTrue(lines.get(0).endsWith("trying on until the deadline"), result.err());
            assertTrue(lines.get(1).endsWith("trying on until the deadline"), result.err());
            assertTrue(lines.get(2).contains("nothing that speaks this protocol answers in time"), result.err());
            assertTrue(one.connections() > 1, "it was asked once");
        }
    }

    @Test
    void shouldNameADeviceThatDoesNotExist() throws Exception
    {
        try (KvctlServer server = KvctlServer.start())
        {
            KvctlCall.of("--device", "warp", "get", "k").to(server).runHere().assertFailed(2, "warp", "shm");
            KvctlCall.of("get", "k").with("KVCTL_DEVICE", "warp").to(server).runHere().assertFailed(2, "warp");
        }
    }

    @Test
    void shouldTellOfAMissingOrWrongToken() throws Exception
    {
        final Path token = Files.writeString(directory.resolve("token"), "open sesame\n");
        final Path wrong = Files.writeString(directory.resolve("wrong"), "open barley\n");
        final Path empty = Files.writeString(directory.resolve("empty"), "\n");
        try (KvctlServer server = KvctlServer.start("--token-file", token.toString()))
        {
            KvctlCall.of("get", "k").to(server).runHere().assertFailed(4, "token", server.address());
            KvctlCall.of("get", "k").with("KVCTL_TOKEN", "guess").to(server).runHere().assertFailed(4, "token");
            KvctlCall.of("get", "--token-file", wrong.toString(), "k").to(server).runHere().assertFailed(4, "token");
            KvctlCall.of("get", "--token-file", empty.toString(), "k").to(server).runHere()
                .assertFailed(2, "token file must hold 1 to 1024 bytes: file=" + empty + " is empty");

            KvctlCall.of("put", "--token-file", token.toString(), "k", "v").to(server).runHere().assertDone();
            assertEquals("v", KvctlCall.of("get", "k").with("KVCTL_TOKEN", "open sesame").to(server).runHere()
                .assertDone().out());
        }
    }

    @Tag("full")
    @Test
    void shouldTellThatTheFateOfAWriteIsUnknown() throws Exception
    {
        try (KvctlServer server = KvctlServer.start())
        {
            final Process put = KvctlCall.of("--deadline", "5s", "put", "k", "-").to(server).start();
            awaitSessions(server, 2);
            server.signal("STOP");
            try
            {
                put.getOutputStream().write('w');
                put.getOutputStream().close();
                final String err = new String(put.getErrorStream().readAllBytes(), UTF_8);

                assertEquals(6, put.waitFor(), err);
                assertEquals(1, err.lines().count(), err);
                assertTrue(err.startsWith("kvctl put: ") && err.contains("may or may not have taken effect"), err);

                KvctlCall.of("--deadline", "1s", "get", "k").to(server).run().assertFailed(4, server.address());
            }
            finally
            {
                server.signal("CONT");
            }
            KvctlCall.of("put", "k", "x").to(server).run().assertDone();
            assertEquals("x", KvctlCall.of("get", "k").to(server).run().assertDone().out());
        }
    }

    /** Waits until so many sessions are connected, the one that asks included. */
    private static void awaitSessions(final KvctlServer server, final int sessions) throws Exception
    {
        String stats;
        do
        {
            stats = KvctlCall.of("stats").to(server).run().assertDone().out();
        }
        while (!Pattern.compile("^sessions +" + sessions + "$", Pattern.MULTILINE).matcher(stats).find());
    }
}
