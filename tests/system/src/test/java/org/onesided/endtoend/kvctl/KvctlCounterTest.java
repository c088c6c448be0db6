package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Counters and appends on kvctl's command line.
 */
@Timeout(300)
class KvctlCounterTest
{
    private static final int USAGE = 2;
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
    void shouldPrintTheNewNumber() throws Exception
    {
        assertPrints("1\n", "incr", "number");
        assertPrints("43\n", "incr", "number", "42");
        assertPrints("-7\n", "incr", "number", "-50");
        assertPrints("-8\n", "incr", "number", "-1", "--initial", "100");
        assertPrints("-8", "get", "number");
        assertPrints("97\n", "incr", "stock", "-3", "--initial", "100");
        assertPrints("-6\n", "incr", "--initial=-5", "below", "-1");
        final String json = kvctl("incr", "-o", "json", "stock").runHere().assertDone().out();
        assertTrue(json.matches("\\{\"key\":\"stock\",\"number\":98,\"version\":\"[-0-9a-z]+\"}\n"), json);
    }

    @Test
    void shouldPrintTheNewLength() throws Exception
    {
        assertPrints("5\n", "append", "text", "Hello");
        assertPrints("11\n", "append", "text", ", you!");
        final String json = kvctl("append", "-o", "json", "text", "?").runHere().assertDone().out();
        assertTrue(json.matches("\\{\"key\":\"text\",\"value_bytes\":12,\"version\":\"[-0-9a-z]+\"}\n"), json);
        assertPrints("Hello, you!?", "get", "text");
        assertEquals("15\n", kvctl("append", "text", "-").input("abc").runHere().assertDone().out());
        assertPrints("Hello, you!?abc", "get", "text");
    }

    @Test
    void shouldSayWhatTheValueDoesNotAllow() throws Exception
    {
        kvctl("put", "refusing", "9223372036854775807").runHere().assertDone();
        kvctl("incr", "refusing").runHere().assertFailed(CONFLICT,
            "kvctl incr: increment: sum does not fit into 64 bits, put another number or add less: ");
        kvctl("append", "refusing", "0").runHere().assertDone();
        kvctl("incr", "refusing").runHere().assertFailed(CONFLICT,
            "kvctl incr: increment: value is not the decimal text of a 64-bit number, put one or delete the key: ");
        assertPrints("92233720368547758070", "get", "refusing");
        kvctl("append", "refusing", "x".repeat(4097)).runHere().assertFailed(USAGE,
            "kvctl append: too many bytes for one append, append them in parts: ");
        kvctl("append", "refusing", "-").input("x".repeat(4097)).runHere().assertFailed(USAGE,
            "kvctl append: the value on standard input is too long; append it in parts: longest=4096");
        for (int length = 20; length < 61_460; length += 4096)
        {
            kvctl("append", "refusing", "x".repeat(4096)).runHere().assertDone();
        }
        kvctl("append", "refusing", "x".repeat(4096)).runHere().assertFailed(CONFLICT,
            "kvctl append: value would be too long for an append, begin another key: longest=65536");
    }

    private static void assertPrints(final String out, final String... arguments)
    {
        assertEquals(out, kvctl(arguments).runHere().assertDone().out());
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).to(server);
    }
}
