package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;

/**
 * Import and export against a server in another process, with an empty table for each test.
 */
class KvctlImportExportTest
{
    private static KvctlServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start("--memory", "256m");
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @BeforeEach
    void clear()
    {
        try (StoreClient client = StoreClient.builder().server(server.address()).build())
        {
            final List<byte[]> keys = new ArrayList<>();
            client.scan((key, value) ->
            {
                final byte[] bytes = new byte[key.capacity()];
                key.getBytes(0, bytes);
                keys.add(bytes);
            });
            keys.forEach(client::delete);
        }
    }

    @Test
    void shouldCarryARealDataSetByteForByte() throws Exception
    {
        final List<String> lines = packages();
        final Path file = Files.write(directory.resolve("packages.tsv"), lines);
        final Path back = directory.resolve("back.tsv");

        final KvctlCall.Result imported = kvctl("import", file.toString()).run();
        assertEquals(0, imported.exitCode(), imported.err());
        assertTrue(imported.err().startsWith("kvctl import: " + String.format("%,d", lines.size()) + " pairs imported"),
            imported.err());
        assertEquals(0, kvctl("export", back.toString()).run().exitCode());

        final byte[] sorted = sort(file);
        assertTrue(sorted.length > 10_000, "length=" + sorted.length);
        assertArrayEquals(sorted, sort(back));
    }

    @Test
    void shouldCarryAllBytesThroughBothForms() throws Exception
    {
        final Random random = new Random(42);
        final TreeMap<String, String> pairs = new TreeMap<>();
        final List<String> lines = new ArrayList<>();
        for (int i = 0; i < 2_000; i++)
        {
            final byte[] key = new byte[1 + random.nextInt(20)];
            final byte[] value = new byte[random.nextInt(300)];
            random.nextBytes(key);
            random.nextBytes(value);
            if (pairs.put(HexFormat.of().formatHex(key), HexFormat.of().formatHex(value)) == null)
            {
                lines.add(escapeAll(key) + "\t" + escapeAll(value));
            }
        }
        final Path file = Files.write(directory.resolve("all.tsv"), lines);
        assertEquals(0, kvctl("import", file.toString()).runHere().exitCode());
        final byte[] tsv = kvctl("export").runHere().outBytes();
        final Path json = directory.resolve("all.jsonl");
        assertEquals(0, kvctl("export", json.toString()).runHere().exitCode());

        clear();
        assertEquals(0, kvctl("import", json.toString()).runHere().exitCode());
        final KvctlCall.Result again = kvctl("export", "-").runHere();

        assertEquals(0, again.exitCode());
        assertEquals(pairs.size(), again.out().lines().count());
        assertArrayEquals(sort(tsv), sort(again.outBytes()));
        final String first = pairs.firstKey();
        assertTrue(again.out().length() > 0 && Files.readString(json).startsWith("{\"key"), first);
    }

    @Test
    void shouldReadAndWriteStandardStreams() throws Exception
    {
        final KvctlCall.Result imported =
            kvctl("import", "--format", "jsonl", "-").input("{\"key\":\"k\",\"value\":\"v\\n\"}\n").run();
        assertEquals(0, imported.exitCode(), imported.err());
        assertEquals("kvctl import: 1 pair imported, 3 bytes\n", imported.err());

        assertEquals("v\n", kvctl("get", "k").runHere().assertDone().out());
        final KvctlCall.Result exported = kvctl("export").run();
        assertEquals("k\tv\\n\n", exported.out());
        assertEquals("kvctl export: 1 pair exported, 3 bytes\n", exported.err());
        assertEquals("{\"key\":\"k\",\"value\":\"v\\n\"}\n", kvctl("export", "--format", "jsonl", "-").runHere().out());
    }

    @Test
    void shouldExportPairsWithAPrefixAndNoMoreThanTheLimit() throws Exception
    {
        final String pairs = "user:a\t1\nuser:b\t2\norder:a\t3\n";
        assertEquals(0, kvctl("import", "-").input(pairs).runHere().exitCode());

        assertEquals(List.of("user:a\t1", "user:b\t2"),
            kvctl("export", "--prefix", "user:").runHere().out().lines().sorted().toList());
        final KvctlCall.Result one = kvctl("export", "--prefix", "user:", "--limit", "1").runHere();
        assertTrue(one.out().matches("user:[ab]\t[12]\n"), one.out());
        assertEquals(3, kvctl("export", "--limit", "3").runHere().out().lines().count());
        assertEquals("", kvctl("export", "--prefix", "nobody").runHere().out());
        final KvctlCall.Result refused = kvctl("export", "--limit", "0").runHere();
        assertEquals(2, refused.exitCode());
        assertTrue(refused.err().contains("'--limit': must be at least 1: 0"), refused.err());
    }

    @Test
    void shouldExportVersionsAndIgnoreThemInImports() throws Exception
    {
        kvctl("put", "k", "v").runHere().assertDone();
        final String version = kvctl("get", "--show-version", "k").runHere().err().replaceAll("(?s).*=|\\s", "");
        final String line = "k\tv\tversion=" + version + "\n";
        assertEquals(line, kvctl("export", "--versions").runHere().out());
        final String json = "{\"key\":\"k\",\"value\":\"v\",\"version\":\"" + version + "\"}\n";
        assertEquals(json, kvctl("export", "--versions", "-o", "json").runHere().out());
        assertTrue(kvctl("export", "--versions", "-o", "table").runHere().out()
            .matches("key +value +size +version\nk +v +1 byte +" + version + "\n"));
        kvctl("put", "--if-version", version, "k", "w").runHere().assertDone();

        for (final String[] form : new String[][]{{"tsv", line}, {"jsonl", json}})
        {
            assertEquals(0, kvctl("import", "--format", form[0], "-").input(form[1]).runHere().exitCode());
            assertEquals("v", kvctl("get", "k").runHere().out());
            final KvctlCall.Result conflict = kvctl("put", "--if-version", version, "k", "x").runHere();
            assertEquals(5, conflict.exitCode(), conflict.err());
        }
    }

    @Test
    void shouldTakeTheFormThatIsAskedFor() throws Exception
    {
        final Path file = directory.resolve("pairs.tsv");
        final String lines = "a\tb\nbroken\n";
        assertEquals("{\"pairs\":1,\"bytes\":2,\"expired\":0,\"broken_lines\":1}\n",
            kvctl("import", "-o", "json", "--keep-going", "-").input(lines).runHere().out());
        final KvctlCall.Result imported = kvctl("import", "-").with("KVCTL_OUTPUT", "plain").input("a\tb\n").runHere();
        assertEquals("pairs 1\nbytes 2\nexpired 0\nbroken_lines 0\n", imported.assertDone().out());

        assertEquals("{\"key\":\"a\",\"value\":\"b\"}\n", kvctl("export", "-o", "json").runHere().out());
        assertEquals("key  value  size\na    b      1 byte\n", kvctl("export", "-o", "table").runHere().out());
        // What a file holds, only its name and --format say.
        assertEquals("pairs  bytes\n1      2\n",
            kvctl("export", "-o", "table", file.toString()).runHere().assertDone().out());
        assertEquals("a\tb\n", Files.readString(file));
        assertEquals("a\tb\n", kvctl("export", "-o", "json", "--format", "tsv").runHere().out());
    }

    @Test
    void shouldLetALaterLineWin() throws Exception
    {
        assertEquals(0, kvctl("import", "-").input("k\t1\nk\t2\nk\t3\n").runHere().exitCode());

        assertEquals("3", kvctl("get", "k").runHere().assertDone().out());
    }

    @Test
    void shouldEndAtABrokenLineAndKeepWhatCameBefore() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("broken.tsv"), "a\t1\nb\t2\nnonsense\nd\t4\n");

        kvctl("import", file.toString()).runHere().assertFailed(
            1, file + ":3: the line has no tab between key and value", "2 pairs imported before", "--keep-going");

        assertEquals("1", kvctl("get", "a").runHere().assertDone().out());
        assertEquals("2", kvctl("get", "b").runHere().assertDone().out());
        kvctl("get", "d").runHere().assertFailed(3, "not found: d");
    }

    @Test
    void shouldGoOnBehindBrokenLinesIfAsked() throws Exception
    {
        final String text = "a\t1\nnonsense\nb\t2\n\t3\n" + "k".repeat(4097) + "\t4\nc\t\\x0\nd\t5\n";

        final KvctlCall.Result result = kvctl("import", "--keep-going", "-").input(text).runHere();

        assertEquals(1, result.exitCode());
        assertEquals(
            "kvctl import: standard input:2: the line has no tab between key and value\n" +
            "kvctl import: standard input:4: the key is empty\n" +
            "kvctl import: standard input:5: the key is too long: length=4097 longest=4096\n" +
            "kvctl import: standard input:6: \\x needs two hexadecimal digits\n" +
            "kvctl import: 3 pairs imported, 6 bytes; 4 lines broken\n", result.err());
        assertEquals("5", kvctl("get", "d").runHere().assertDone().out());
    }

    @Tag("full")
    @Test
    void shouldCountWhatWasPutWhenTheStoreIsFullInTheMiddleOfABatch() throws Exception
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++)
        {
            text.append("key").append(i).append('\t').append("v".repeat(1_000)).append('\n');
        }
        try (KvctlServer small = KvctlServer.start(
            KvctlCall.of("server", "--listen", "127.0.0.1:0", "--memory", "8m")))
        {
            final KvctlCall.Result result = KvctlCall.of("import", "-").to(small).input(text.toString()).runHere();

            result.assertFailed(7, "kvctl import: standard input:", "imported before");
            final long imported = Long.parseLong(
                result.err().replaceFirst("(?s).*; ([0-9,]+) pairs imported before.*", "$1").replace(",", ""));
            assertTrue(imported > 1_000, result.err());
            final KvctlCall.Result exported = KvctlCall.of("export", "-").to(small).runHere();
            assertEquals(0, exported.exitCode(), exported.err());
            assertEquals(imported, exported.out().lines().count(), result.err());
            final long line = Long.parseLong(result.err().split(":")[2]);
            assertTrue(line <= imported + 1 && line > imported - 1_000, result.err());
            KvctlCall.of("get", "key" + (line - 2)).to(small).runHere().assertDone();
            KvctlCall.of("get", "key" + (line - 1)).to(small).runHere().assertFailed(3, "not found");
        }
    }

    @Tag("full")
    @Test
    void shouldNameTheLineAtWhichTheStoreIsFull() throws Exception
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++)
        {
            text.append("key").append(i).append('\t').append("v".repeat(10 << 20)).append('\n');
        }

        final KvctlCall.Result result = kvctl("import", "-").input(text.toString()).runHere();

        result.assertFailed(7, "kvctl import: standard input:", "imported before");
        final int line = Integer.parseInt(result.err().split(":")[2]);
        assertTrue(line > 5 && line < 40, result.err());
        // Nothing lost: all before that line is there, and the server goes on.
        assertTrue(result.err().contains("; " + (line - 1) + " pairs imported before"), result.err());
        assertEquals(10 << 20, kvctl("get", "key" + (line - 2)).runHere().assertDone().outBytes().length);
        kvctl("get", "key" + (line - 1)).runHere().assertFailed(3, "not found");
        kvctl("delete", "key0").runHere().assertDone();
        kvctl("put", "small", "1").runHere().assertDone();
    }

    @Tag("full")
    @Test
    void shouldEndAnExportQuietlyWhenNobodyReadsAnyMore() throws Exception
    {
        importMany();

        final KvctlCall.Result result = KvctlCall.ofScript("\"$@\" export | head -n 1").to(server).run();

        assertEquals(0, result.exitCode(), result.err());
        assertEquals("", result.err());
        assertEquals(1, result.out().lines().count());
    }

    @Test
    void shouldTellThatADiskIsFull() throws Exception
    {
        importMany();

        kvctl("export", "/dev/full").runHere()
            .assertFailed(1, "kvctl export: cannot write /dev/full: No space left on device");
    }

    @Test
    void shouldNameAFileThatCannotBeWritten() throws Exception
    {
        kvctl("export", "/nonexistent/pairs.tsv").runHere()
            .assertFailed(1, "kvctl export: cannot write /nonexistent/pairs.tsv: no such file or directory");
        kvctl("export", directory.toString()).runHere()
            .assertFailed(1, "kvctl export: cannot write " + directory + ": it is a directory");
    }

    @Test
    void shouldExportAnEmptyTable() throws Exception
    {
        final Path file = directory.resolve("empty.tsv");

        assertEquals(0, kvctl("export", file.toString()).runHere().exitCode());

        assertEquals(0, Files.size(file));
    }

    @Tag("full")
    @Test
    void shouldCarryTheLongestValueThroughAFile() throws Exception
    {
        final byte[] value = new byte[64 << 20];
        new Random(9).nextBytes(value);
        kvctl("put", "large", "-").input(value).runHere().assertDone();

        for (final String name : new String[]{"large.tsv", "large.jsonl"})
        {
            final Path file = directory.resolve(name);
            assertEquals(0, kvctl("export", file.toString()).runHere().exitCode());
            kvctl("delete", "large").runHere().assertDone();
            final KvctlCall.Result imported = kvctl("import", file.toString()).runHere();
            assertEquals(0, imported.exitCode(), imported.err());
            assertArrayEquals(value, kvctl("get", "large").runHere().assertDone().outBytes());
        }
    }

    @Tag("full")
    @Test
    void shouldExportPairsThatHeldWhileOthersWrite() throws Exception
    {
        importMany();
        // Each value is its key's number and a generation; the writer never deletes.
        final Process writer = KvctlCall.ofScript("for g in 1 2 3 4 5 6; do for i in $(seq 0 4999); do " +
            "echo \"key$i\tvalue$i-$g\"; done; done | \"$@\" import -").to(server).start();
        final List<byte[]> exports = new ArrayList<>();
        while (writer.isAlive() || exports.isEmpty())
        {
            final KvctlCall.Result result = kvctl("export").runHere();
            assertEquals(0, result.exitCode(), result.err());
            exports.add(result.outBytes());
        }
        assertEquals(0, writer.waitFor());

        for (final byte[] export : exports)
        {
            final List<String> lines = new String(export, UTF_8).lines().toList();
            assertEquals(5_000, lines.size());
            assertEquals(5_000, lines.stream().map(line -> line.substring(0, line.indexOf('\t'))).distinct().count());
            for (final String line : lines)
            {
                final String number = line.substring("key".length(), line.indexOf('\t'));
                assertTrue(line.matches("key" + number + "\tvalue" + number + "(-[1-6])?"), line);
            }
        }
    }

    private void importMany() throws Exception
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5_000; i++)
        {
            text.append("key").append(i).append("\tvalue").append(i).append('\n');
        }
        final KvctlCall.Result result = kvctl("import", "-").input(text.toString()).runHere();
        assertEquals(0, result.exitCode(), result.err());
    }

    /** A line per installed package: its name, and its description of several lines. */
    private static List<String> packages() throws Exception
    {
        assumeTrue(Files.exists(Path.of("/usr/bin/dpkg-query")), "this machine has no dpkg");
        final Process query = new ProcessBuilder("dpkg-query", "-W", "-f",
            "${Package}:${Architecture}\u001F${Version}\n${Maintainer}\n${Description}\n\u001E")
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final String all = new String(query.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, query.waitFor());
        final List<String> lines = new ArrayList<>();
        for (final String entry : all.split("\u001E"))
        {
            final int end = entry.indexOf('\u001F');
            if (end > 0)
            {
                lines.add(entry.substring(0, end) + "\t" +
                    entry.substring(end + 1).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n"));
            }
        }
        assertFalse(lines.isEmpty());
        return lines;
    }

    private static String escapeAll(final byte[] bytes)
    {
        final StringBuilder text = new StringBuilder();
        for (final byte b : bytes)
        {
            text.append(String.format("\\x%02x", b));
        }
        return text.toString();
    }

    private static byte[] sort(final Path file) throws Exception
    {
        return sort(Files.readAllBytes(file));
    }

    private static byte[] sort(final byte[] text)
    {
        final String[] lines = new String(text, ISO_8859_1).split("(?<=\n)");
        Arrays.sort(lines);
        return String.join("", lines).getBytes(ISO_8859_1);
    }

    private KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).to(server);
    }
}
