package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many keys at once, and the forms that pairs and figures are printed in.
 */
class KvctlManyTest
{
    private static KvctlServer server;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start("--shards", "2");
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @Test
    void shouldGetManyInTheirOrder()
    {
        kvctl("mput", "red", "#f00", "green", "#0f0", "tab\t", "a\nb", "empty", "").runHere().assertDone();

        assertEquals("green\t#0f0\nred\t#f00\ntab\\t\ta\\nb\nempty\t\n",
            kvctl("mget", "green", "red", "tab\t", "empty").runHere().assertDone().out());
        assertEquals("{\"key\":\"red\",\"value\":\"#f00\"}\n{\"key\":\"tab\\t\",\"value\":\"a\\nb\"}\n",
            kvctl("mget", "-o", "json", "red", "tab\t").runHere().assertDone().out());
        assertEquals("key    value  size\nred    #f00   4 bytes\nempty  -      0 bytes\n",
            kvctl("mget", "-o", "table", "red", "empty").runHere().assertDone().out());
    }

    @Test
    void shouldNameTheKeysThatAreNotThere()
    {
        kvctl("mput", "there", "1").runHere().assertDone();

        final KvctlCall.Result result = kvctl("mget", "no\nbody", "there", "nothing").runHere();

        assertEquals(3, result.exitCode());
        assertEquals("there\t1\n", result.out());
        assertEquals("kvctl mget: not found: no\\nbody\nkvctl mget: not found: nothing\n", result.err());

        final KvctlCall.Result json = kvctl("mget", "-o", "json", "there", "nothing").runHere();
        assertEquals(3, json.exitCode());
        assertEquals("{\"key\":\"there\",\"value\":\"1\"}\n{\"key\":\"nothing\",\"value\":null}\n", json.out());
        assertEquals(result.err().substring(result.err().indexOf('\n') + 1), json.err());
        kvctl("mput", "--format", "jsonl", "-").input(json.out()).runHere()
            .assertFailed(1, "kvctl mput: standard input:2: ");
    }

    @Tag("full")
    @Test
    void shouldCarryManyThroughStandardInputAndOutput() throws Exception
    {
        final String pairs = IntStream.range(0, 2_000)
            .mapToObj(i -> "many-" + i + "\tvalue " + i + "\n").collect(Collectors.joining());
        kvctl("mput", "-").input(pairs).run().assertDone();

        final String keys = pairs.lines().map(line -> line.split("\t")[0] + "\n").collect(Collectors.joining());
        assertEquals(pairs, kvctl("mget", "-").input(keys).run().assertDone().out());

        final KvctlCall.Result result = KvctlCall.ofScript(
            "\"$@\" mget -o json many-1 many-7 | sed s/many/copy/ | \"$@\" mput --format jsonl - && " +
                "\"$@\" mget copy-1 copy-7")
            .to(server).run();
        assertEquals("copy-1\tvalue 1\ncopy-7\tvalue 7\n", result.assertDone().out());
    }

    @Tag("full")
    @Test
    void shouldAnswerEachKeyWhileOthersAreAwaited() throws Exception
    {
        kvctl("mput", "first", "1", "second", "2").runHere().assertDone();
        try (Program program = new Program(kvctl("mget", "-").start()))
        {
            program.type("first\n");
            program.awaitOut("first\t1\n");
            program.type("second\n");
            program.awaitOut("second\t2\n");
            program.endInput();
            assertEquals(0, program.await(), program.toString());
        }
    }

    @Test
    void shouldRefuseWhatIsNoPairOrKeyBeforeAnythingIsPut()
    {
        kvctl("mput", "half-1", "1", "half-2").runHere().assertFailed(2, "kvctl mput: ", "key=half-2");
        kvctl("mput", "half-1", "1", "", "2").runHere().assertFailed(2, "the key is empty");
        kvctl("mput", "--format", "jsonl", "half-1", "1").runHere().assertFailed(2, "--format is of standard input");
        kvctl("get", "half-1").runHere().assertFailed(3, "not found");
        kvctl("mget", "a", "").runHere().assertFailed(2, "the key is empty");
        kvctl("mget", "-").input("a\tb\n").runHere()
            .assertFailed(1, "kvctl mget: standard input:1: the line has a tab");
        kvctl("mget", "-").input("\n").runHere().assertFailed(1, "standard input:1: the key is empty");
        kvctl("mget", "-").input("k".repeat(5_000)).runHere().assertFailed(1, "the key is too long");
        kvctl("mput", "-").input("broken\n").runHere()
            .assertFailed(1, "kvctl mput: standard input:1: the line has no tab", "0 pairs imported before");
    }

    @Test
    void shouldTellWhichPairCouldNotBePut() throws Exception
    {
        try (KvctlServer small = KvctlServer.start("--memory", "4m"))
        {
            final String value = "v".repeat(100_000);
            final String[] words = new String[101];
            words[0] = "mput";
            for (int i = 1; i < words.length; i += 2)
            {
                words[i] = "key-" + i;
                words[i + 1] = value;
            }
            final KvctlCall.Result result = KvctlCall.of(words).to(small).runHere();
            result.assertFailed(7, "kvctl mput: pair ", " put");
            final int put = Integer.parseInt(result.err().replaceAll("(?s).*; (\\d+) pairs? put\n", "$1"));
            final String out = KvctlCall.of("stats", "-o", "plain").to(small).runHere().assertDone().out();
            assertTrue(put > 0 && out.contains("\ntotal.records " + put + "\n"), result.err() + out);
        }
    }

    @Test
    void shouldSayInJsonWhatIsNoText() throws Exception
    {
        kvctl("put", "bytes", "-").input(new byte[]{(byte)0xFF, 0}).runHere().assertDone();
        assertEquals("{\"key\":\"bytes\",\"value64\":\"/wA=\"}\n",
            kvctl("get", "-o", "json", "bytes").runHere().assertDone().out());
        kvctl("import", "--format", "jsonl", "-").input("{\"key64\":\"/w==\",\"value\":\"é\"}\n").runHere();
        assertEquals("{\"key64\":\"/w==\",\"value\":\"é\"}\n",
            kvctl("mget", "-o", "json", "-").input("\\xFF\n").runHere().assertDone().out());
        assertEquals("key    value     size\nbytes  \\xFF\\x00  2 bytes\n",
            kvctl("get", "-o", "table", "bytes").runHere().assertDone().out());
    }

    @Test
    void shouldTakeTheFormFromItsVariable()
    {
        kvctl("mput", "form", "1").runHere().assertDone();
        assertEquals("{\"key\":\"form\",\"value\":\"1\"}\n",
            kvctl("get", "form").with("KVCTL_OUTPUT", "json").runHere().assertDone().out());
        assertEquals("1",
            kvctl("get", "-o", "plain", "form").with("KVCTL_OUTPUT", "json").runHere().assertDone().out());
    }

    private static String withoutVersion(final String text)
    {
        return text.replaceAll("[0-9a-z]{8,}-[0-9a-z]{8,}", "V");
    }

    @Test
    void shouldSayWhatWasPutAndDeletedWhereItIsAsked()
    {
        assertEquals("{\"key\":\"said\",\"value_bytes\":2,\"version\":\"V\"}\n", withoutVersion(
            kvctl("put", "-o", "json", "said", "it").runHere().assertDone().out()));
        assertEquals("key sa\\nid\nvalue_bytes 0\nversion V\n", withoutVersion(
            kvctl("put", "-o", "plain", "sa\nid", "").runHere().assertDone().out()));
        assertEquals("key   value bytes  version\nsaid  1            V\n", withoutVersion(
            kvctl("put", "said", "1").with("KVCTL_OUTPUT", "table").runHere().assertDone().out()));
        assertEquals("{\"pairs\":2,\"bytes\":12}\n",
            kvctl("mput", "-o", "json", "said-1", "", "said-2", "").runHere().assertDone().out());
        assertEquals("pairs 1\nbytes 7\n",
            kvctl("mput", "-o", "plain", "-").input("said-3\t1\n").runHere().assertDone().out());

        for (final String[] form : new String[][]{
            {"json", "{\"key\":\"said-1\",\"deleted\":true}\n{\"key\":\"no\\tbody\",\"deleted\":false}\n"},
            {"plain", "said-2\tdeleted\nno\\tbody\tabsent\n"},
            {"table", "key       result\nsaid-3    deleted\nno\\tbody  absent\n"}})
        {
            final String key = form[1].replaceAll("(?s).*(said-\\d).*", "$1");
            final KvctlCall.Result result = kvctl("delete", "-o", form[0], key, "no\tbody").runHere();
            assertEquals(form[1], result.out());
            assertEquals("kvctl delete: not found: no\\tbody\n", result.err());
            assertEquals(3, result.exitCode());
        }
    }

    @Test
    void shouldShowStatisticsForPrograms()
    {
        kvctl("put", "figure", "1").runHere().assertDone();

        final String json = kvctl("stats", "-o", "json").runHere().assertDone().out();
        assertTrue(json.matches("\\{\"server\":\"" + server.address() + "\",\"device\":\"shm\",.*" +
            "\"total\":\\{\"records\":\\d+,.*\"shard\":\\{\"0\":\\{.*\"clients\":\\{\"gets\":.*}}\n"), json);
        final String plain = kvctl("stats", "-o", "plain").runHere().assertDone().out();
        assertTrue(plain.lines().allMatch(line -> line.matches("[a-z_0-9.]+ \\S.*")), plain);
        assertTrue(plain.contains("\nshard.1.heap_bytes_in_use "), plain);
        assertTrue(plain.matches("(?s).*\nclients.reads_per_get \\d+\\.\\d{3}\n.*"), plain);
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).to(server);
    }
}
