package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands that go on until they are told to stop: round trips, and statistics again and again.
 */
class KvctlWatchTest
{
    private static KvctlServer server;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start();
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @Test
    void shouldMeasureRoundTripsOfBothKinds()
    {
        final String out = kvctl("ping", "-c", "3", "-i", "1ms").runHere().assertDone().out();

        assertTrue(out.matches("(?s)ping " + server.address() + " device=shm\n" +
            "(seq=[123] READ=[0-9.]+ [um]s RPC=[0-9.]+ [um]s\n){3}\n" +
            " +count  lost  min +p50 +p99 +max\n" +
            "READ  3      0   ( +[0-9.]+ [um]s){4}\nRPC   3      0   ( +[0-9.]+ [um]s){4}\n"), out);
    }

    @Test
    void shouldGiveRoundTripsToPrograms()
    {
        final String json = kvctl("ping", "-c", "2", "-i", "1ms", "-o", "json").runHere().assertDone().out();
        final String times = "\"min_us\":[0-9.]+,\"p50_us\":[0-9.]+,\"p99_us\":[0-9.]+,\"max_us\":[0-9.]+";
        assertTrue(json.matches("\\{\"server\":\"" + server.address() + "\",\"device\":\"shm\"," +
            "\"read\":\\{\"count\":2,\"lost\":0," + times + "}," +
            "\"rpc\":\\{\"count\":2,\"lost\":0," + times + "}}\n"), json);
        kvctl("ping", "-c", "0").runHere().assertFailed(2, "--count must be 1 or more: --count=0");
        KvctlCall.of("ping", "-c", "1", "--server", "127.0.0.1:1").runHere().assertFailed(4, "kvctl ping: ");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void shouldEndPingWithItsStatistics(final String signal) throws Exception
    {
        try (Program ping = new Program(kvctl("ping", "-i", "1ms").start()))
        {
            ping.awaitOut("seq=5 ");
            ping.signal(signal);
            assertEquals(0, ping.await(), ping.toString());
            assertTrue(ping.out().matches("(?s).*\n\n +count  lost .*\nREAD .*\nRPC .*"), ping.toString());
            assertEquals("", ping.err());
        }
    }

    @Test
    void shouldShowALineEachTime() throws Exception
    {
        try (Program stats = new Program(kvctl("stats", "--watch", "0.1").start()))
        {
            stats.awaitOut("time +gets/s +misses/s +READs/s +READs/GET +READ/s +puts/s .*\n");
            stats.awaitOut("(?s)(\\d\\d:\\d\\d:\\d\\d .*%.*\n){2}");
            stats.signal("INT");
            assertEquals(0, stats.await(), stats.toString());
            assertEquals("", stats.err());
        }
    }

    @Test
    void shouldWatchForPrograms() throws Exception
    {
        try (Program stats = new Program(kvctl("stats", "--watch", "0.1", "-o", "json").start()))
        {
            stats.awaitOut("(?s)(\\{\"seconds\":[0-9.]+,\"gets_per_second\":[0-9.]+,.*}\n){2}");
            stats.signal("TERM");
            assertEquals(0, stats.await(), stats.toString());
        }
        kvctl("stats", "--watch", "0").runHere().assertFailed(2, "--watch must be 0.1 to 3600.0 seconds: --watch=0.0");
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).to(server);
    }
}
