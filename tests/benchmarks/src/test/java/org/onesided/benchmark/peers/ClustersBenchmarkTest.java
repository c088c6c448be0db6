package org.onesided.benchmark.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.peers.Records;
import org.onesided.testing.ProjectFolder;
import picocli.CommandLine.Option;

class ClustersBenchmarkTest
{
    private static final String ROOT = "--root=" + ProjectFolder.ROOT;

    @Tag("full")
    @Test
    void shouldMeasureAllSystemsAndLeaveNothingBehind(@TempDir final Path folder) throws IOException
    {
        assumeTrue(PeerServer.find(EtcdCluster.NAME).isPresent(), "etcd is not installed");
        final List<Long> before = ProcessHandle.current().children().map(ProcessHandle::pid).toList();
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream outBefore = System.out;
        System.setOut(new PrintStream(out, true, UTF_8));
        try
        {
            assertEquals(0, ClustersBenchmark.run(List.of(ROOT, "--quick", "--dir=" + folder)));
        }
        finally
        {
            System.setOut(outBefore);
        }

        final String text = out.toString(UTF_8);
        for (final String name : List.of("GET, 1 client: cluster", "put, 16 clients: etcd",
            "YCSB B, lookups: hazelcast", "YCSB A, updates: cluster", "YCSB A, updates / etcd", "YCSB B / hazelcast",
            "put, 1 client / server", "GET: cluster / server alone, p50", "put, 1 client: cluster / etcd, p50",
            "put, 16 clients: cluster / etcd, a second", "cluster", "etcd", "hazelcast"))
        {
            assertTrue(text.contains("\n| " + name + " | "), name + "\n" + text);
        }
        try (Stream<Path> left = Files.list(folder))
        {
            assertEquals(List.of(), left.toList());
        }
        assertEquals("", ProcessHandle.current().children()
            .filter((child) -> !before.contains(child.pid()))
            .map((child) -> child.info().toString()).collect(Collectors.joining()));
    }

    @ParameterizedTest
    @CsvSource({
        "--only=etcd;nonsense, no such system: --only=nonsense",
        "--rounds=0, out of range: --rounds=0",
        "--millis=60001, out of range: --millis=60001",
        "--warm-up=0, out of range: --warm-up=0",
        "--records=0, out of range: --records=0",
        "--partitions=0, out of range: --partitions=0",
        "--threads=65, out of range: --threads=65",
        "--idle=-1, out of range: --idle=-1",
        "--device=ibv, no such device: --device=ibv",
        "--dir=/nonexistent/nonsense, no such directory: --dir=/nonexistent/nonsense",
        "--nonsense, Unknown option: '--nonsense'",
    })
    void shouldRefuseInOneLine(final String argument, final String reason)
    {
        final PrintStream before = System.err;
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, UTF_8));
        try
        {
            assertEquals(2, ClustersBenchmark.run(List.of(ROOT, argument.replace(';', ','))));
        }
        finally
        {
            System.setErr(before);
        }
        final String text = err.toString(UTF_8);
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.startsWith("clusters: " + reason), text);
    }

    @Test
    void shouldListEachOptionInTheHelpOfTheScript() throws IOException
    {
        final String script = Files.readString(ProjectFolder.ROOT.resolve("tests/runs/clusters.sh"));
        for (final Field field : ClustersBenchmark.class.getDeclaredFields())
        {
            final Option option = field.getAnnotation(Option.class);
            if (option != null && !option.hidden())
            {
                assertTrue(script.contains("\n# " + option.names()[0] + " "), option.names()[0]);
            }
        }
    }

    /** Twice as fast as etcd in both kinds of operations, and no other system was measured. */
    @Test
    void shouldCompareTheClusterWithOthersOfTheSameRound()
    {
        final ClustersReport report = new ClustersReport(new TurnTable());
        for (final Workload workload : Workload.all(4))
        {
            report.add(workload, StoreCluster.NAME, new Mix.Result(10, 200, turn(100), turn(400)));
            report.add(workload, EtcdCluster.NAME, new Mix.Result(10, 100, turn(200), turn(800)));
        }
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        report.print(new PrintStream(out, true, UTF_8), Workload.all(4));
        final List<String> lines = out.toString(UTF_8).lines().toList();

        final String all = "0.500 (0.500 to 0.500)";
        for (final String line : List.of(
            "| YCSB B / etcd | 2.00 (2.00 to 2.00) | - | - |",
            "| YCSB B, lookups / etcd | 1.00 (1.00 to 1.00) | " + all + " | " + all + " |",
            "| put, 1 client: cluster / etcd, p50 | at most 0.80 | 0.50 | 0.50 to 0.50 | met |",
            "| put, 16 clients: cluster / etcd, a second | at least 3.00 | 1.00 | 1.00 to 1.00 | missed |"))
        {
            assertTrue(lines.contains(line), line + "\n" + String.join("\n", lines));
        }
        assertFalse(out.toString(UTF_8).contains("hazelcast"));
    }

    private static Turn turn(final double ns)
    {
        return new Turn(100, ns, ns);
    }

    @Test
    void shouldLookUpAndPutInTheWantedShares() throws IOException
    {
        final Workload half = new Workload("half", 2, 50, true, 1);
        final Memory memory = new Memory();
        RecordLoad.run(List.of(memory, memory), 100);
        assertEquals(LongStream.range(0, 100).boxed().collect(Collectors.toSet()), memory.numbers);

        final Mix.Result result = Mix.run(half, List.of(memory, memory), List.of(half.draw(100, 1), half.draw(100, 2)),
            200);
        final double share = result.updates().perSecond() / result.perSecond();
        assertTrue(share > 0.3 && share < 0.7, "share=" + share);
        assertTrue(half.isMixed());
        assertTrue(result.operations() > 0);
    }

    @Test
    void shouldFailIfARecordIsMissing()
    {
        final Workload gets = new Workload("gets", 1, 0, false, 16);
        assertFalse(gets.isMixed());
        final IOException failure = assertThrows(IOException.class,
            () -> Mix.run(gets, List.of(new Memory()), List.of(gets.draw(1, 1)), 60_000));
        assertTrue(failure.getMessage().contains("record=0"), failure.getMessage());
    }

    /** As protoc's output for these messages. */
    @Test
    void shouldSpeakTheMessagesOfEtcd() throws IOException
    {
        assertArrayEquals(new byte[]{0x0A, 1, 'k', 0x12, 2, 'v', 'w'},
            EtcdMessages.putRequest(new byte[]{'k'}, new byte[]{'v', 'w'}));
        assertArrayEquals(new byte[]{0x0A, 1, 'k'}, EtcdMessages.rangeRequest(new byte[]{'k'}));
        assertArrayEquals(new byte[]{'v', 'w'}, EtcdMessages.foundValue(new byte[]{
            0x0A, 2, 0x08, 7, 0x12, 9, 0x0A, 1, 'k', 0x10, 3, 0x2A, 2, 'v', 'w', 0x20, 1}));
        assertNull(EtcdMessages.foundValue(new byte[]{0x0A, 2, 0x08, 7}));
        assertTrue(EtcdMessages.isLeader(new byte[]{0x0A, 2, 0x10, 9, 0x20, 9}));
        assertFalse(EtcdMessages.isLeader(new byte[]{0x0A, 2, 0x10, 9, 0x20, 8}));
        assertFalse(EtcdMessages.isLeader(new byte[]{0x0A, 2, 0x10, 9}));
    }

    /** Has the records that were put. */
    private static final class Memory implements RecordAccess
    {
        private final Set<Long> numbers = ConcurrentHashMap.newKeySet();

        @Override
        public long get(final long number)
        {
            return numbers.contains(number) ? Records.firstValueWord(number) : Records.ABSENT;
        }

        @Override
        public void put(final long number)
        {
            numbers.add(number);
        }
    }
}
