package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code kvctl shell} with piped input; {@link KvctlTerminalTest} has one at a terminal.
 */
class KvctlShellTest
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
    void shouldCarryOutWhatIsPiped() throws Exception
    {
        final KvctlCall.Result result = shell(
            "# colours",
            "mput red '#f00' \"light blue\" '#add8e6'",
            "",
            "get red",
            "  mget \"light blue\" red  ",
            "get -o json light\\ blue",
            "put quote \"it's \\\"quoted\\\"\"",
            "get quote",
            "delete red",
            "exit",
            "get quote").run();

        assertEquals(
            "#f00\nlight blue\t#add8e6\nred\t#f00\n{\"key\":\"light blue\",\"value\":\"#add8e6\"}\nit's \"quoted\"\n",
            result.assertDone().out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nonsense|no such command: nonsense; see help",
        "get|get: missing required parameter: 'KEY'; see get --help",
        "get --more k|get: unknown option: '--more'",
        "get nobody|get: not found: nobody",
        "put k -|put: cannot read standard input: in a shell it holds commands",
        "import -|import: cannot read standard input: in a shell it holds commands",
        "get --server x:1 k|get: this shell stays with its connection",
        "get --rdma-port 1 k|get: this shell stays with its connection",
        "get \"k|the line ends within quotes",
        "stats --watch|stats: nothing ends --watch in a shell whose input is no terminal",
        "server|no such command: server; see help",
        "shell|no such command: shell; see help",
    })
    void shouldTellOfABadLineInOneLineAndGoOn(final String line, final String message)
    {
        final KvctlCall.Result result = shell("# first", "", line, "put going on", "get going").runHere();

        assertEquals(1, result.exitCode());
        assertEquals("on\n", result.out());
        assertTrue(result.err().startsWith("kvctl shell: line 3: " + message), result.err());
        assertEquals(1, result.err().lines().count(), result.err());
    }

    @Test
    void shouldHelp()
    {
        final String out = shell("help", "help mget", "get --help").runHere().assertDone().out();
        for (final String command : List.of(
            "put", "get", "delete", "getdel", "incr", "append", "touch", "persist", "ttl", "mput", "mget",
            "import", "export", "stats", "ping"))
        {
            assertTrue(out.contains("\n" + command + "  "), command + " in " + out);
        }
        assertTrue(out.contains("kvctl mget red green blue") && out.contains("kvctl get greeting"), out);
    }

    @Test
    void shouldShowMoreForAllCommandsIfAsked()
    {
        final KvctlCall.Result result =
            KvctlCall.of("shell", "-v").to(server).input("put verbose 1\nget verbose\nget verbose\n").runHere();
        assertEquals(0, result.exitCode(), result.err());
        // The second time the bucket is known.
        assertTrue(result.err().matches(
            "(?s).*kvctl shell: line 2: get: \\d READs? \\(\\d of buckets, 1 of records\\)\n" +
                ".*kvctl shell: line 3: get: 1 READ \\(0 of buckets, 1 of records\\)\n"),
            result.err());
    }

    private static KvctlCall shell(final String... lines)
    {
        return KvctlCall.of("shell").to(server).input(String.join("\n", lines));
    }
}
