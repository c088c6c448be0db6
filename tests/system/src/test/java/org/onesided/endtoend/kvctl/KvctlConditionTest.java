package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Versions and conditions on kvctl's command line.
 */
@Timeout(300)
class KvctlConditionTest
{
    private static final Pattern VERSION = Pattern.compile("version=([0-9a-z]+-[0-9a-z]+)\\n");
    private static final int CONFLICT = 5;

    private static KvctlServer server;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start("--memory", "64m");
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @Test
    void shouldPutIfTheConditionHolds() throws Exception
    {
        failsTo("not put, the key is absent: key=put\n", "put", "--if-present", "put", "0");
        kvctl("put", "--if-absent", "put", "1").runHere().assertDone();
        final String first = version("put");
        failsTo("not put, the key is present: key=put version=" + first + "\n", "put", "--if-absent", "put", "2");
        assertEquals("1", kvctl("get", "put").runHere().assertDone().out());
        kvctl("put", "--if-present", "put", "3").runHere().assertDone();
        final String second = version("put");
        failsTo("not put, the key has another version: key=put version=" + second + "\n",
            "put", "--if-version", first, "put", "4");
        final String out =
            kvctl("put", "--if-version", second, "-o", "json", "put", "5").runHere().assertDone().out();
        assertEquals(
            "{\"key\":\"put\",\"value_bytes\":1,\"version\":\"" + version("put") + "\"}\n", out);
        assertEquals("5", kvctl("get", "put").runHere().assertDone().out());
    }

    @Test
    void shouldDeleteTheExpectedVersionOnly() throws Exception
    {
        kvctl("put", "deleted", "1").runHere().assertDone();
        final String first = version("deleted");
        kvctl("put", "deleted", "2").runHere().assertDone();
        final String second = version("deleted");
        failsTo("not deleted, the key has another version: key=deleted version=" + second + "\n",
            "delete", "--if-version", first, "deleted");
        kvctl("delete", "--if-version", second, "deleted").runHere().assertDone();
        failsTo("not deleted, the key is absent: key=deleted\n", "delete", "--if-version", second, "deleted");
    }

    @Test
    void shouldShowTheVersionWithinTheOutput() throws Exception
    {
        kvctl("put", "shown", "value").runHere().assertDone();
        final String version = version("shown");
        assertEquals(
            "{\"key\":\"shown\",\"value\":\"value\",\"version\":\"" + version + "\"}\n",
            kvctl("get", "--show-version", "-o", "json", "shown").runHere().assertDone().out());
        assertTrue(kvctl("get", "--show-version", "-o", "table", "shown").runHere().assertDone().out()
            .contains(version));
    }

    @Test
    void shouldDeleteAndPrintAKeyOnce() throws Exception
    {
        kvctl("put", "job", "work").runHere().assertDone();
        assertEquals("work", kvctl("getdel", "job").runHere().assertDone().out());
        kvctl("getdel", "job").runHere().assertFailed(3, "kvctl getdel: not found: job");
        kvctl("put", "job", "more").runHere().assertDone();
        assertEquals("{\"key\":\"job\",\"value\":\"more\"}\n",
            kvctl("getdel", "-o", "json", "job").runHere().assertDone().out());
    }

    private static String version(final String key)
    {
        final KvctlCall.Result result = kvctl("get", "--show-version", key).runHere();
        assertEquals(0, result.exitCode(), result.err());
        final Matcher version = VERSION.matcher(result.err());
        assertTrue(version.find(), result.err());
        return version.group(1);
    }

    private static void failsTo(final String message, final String... arguments)
    {
        final KvctlCall.Result result = kvctl(arguments).runHere();
        assertEquals(CONFLICT, result.exitCode(), result.err());
        assertEquals("kvctl " + arguments[0] + ": " + message, result.err());
        assertEquals("", result.out());
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).to(server);
    }
}
