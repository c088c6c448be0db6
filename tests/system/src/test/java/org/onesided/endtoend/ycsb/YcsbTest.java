package org.onesided.endtoend.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.client.StoreClient;
import org.onesided.testing.ProjectFolder;
import org.onesided.testing.ServerProcess;

/**
 * YCSB's own client class on its core workloads, as docs/ycsb.md has it: records are loaded once, and D, which adds
 * some, comes last.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
@Tag("full")
final class YcsbTest
{
    private static final int RECORDS = 500;
    private static final int OPERATIONS = 2000;
    /** A deadline that only a hang meets. */
    private static final String PATIENCE = " -p onesided.deadline=100s";
    /** Some nine standard deviations of the number of operations of a kind. */
    private static final double FAR_OFF = 0.1 * OPERATIONS;

    @TempDir
    private static Path folder;
    private ServerProcess server;

    @BeforeAll
    void load() throws Exception
    {
        YcsbFolder.make(folder);
        server = ServerProcess.start("--memory", "64m");
    }

    @AfterAll
    void stop() throws Exception
    {
        server.close();
    }

    @Test
    @Order(1)
    void shouldLoad() throws Exception
    {
        // The documentation's first call, with fewer records.
        final String calls = YcsbRun.documentation().group(2);
        final String load = calls.substring(0, calls.indexOf('\n'));
        assertTrue(load.contains(" -load "), load);
        final YcsbRun run = YcsbRun.of(folder, server.address(), load + " -p recordcount=" + RECORDS + PATIENCE)
            .assertNothingFailed();
        assertEquals(RECORDS, run.ok("INSERT"), run::toString);

        try (StoreClient client = StoreClient.builder().server(server.address()).device("shm").build())
        {
            assertEquals(RECORDS, client.statistics().stream().mapToLong((shard) -> shard.records()).sum());
            final Map<String, Integer> tables = new HashMap<>();
            client.scan((key, value) -> tables.merge(
                key.getStringWithoutLengthUtf8(0, key.capacity()).replaceAll("[0-9]+$", ""), 1, Integer::sum));
            assertEquals(Map.of("usertable/user", RECORDS), tables);
        }
    }

    @ParameterizedTest
    @Order(2)
    @CsvSource({
        "a, 0.50, 0.50, 0.00, 0.00",
        "b, 0.95, 0.05, 0.00, 0.00",
        "c, 1.00, 0.00, 0.00, 0.00",
        "f, 1.00, 0.50, 0.00, 0.50",
        "d, 0.95, 0.00, 0.05, 0.00"})
    void shouldRunTheWorkload(
        final String workload,
        final double reads,
        final double updates,
        final double inserts,
        final double readModifyWrites) throws Exception
    {
        final String calls = YcsbRun.documentation().group(2);
        final String call = calls.substring(calls.indexOf('\n') + 1).strip();
        assertTrue(call.contains(" -t ") && call.contains("/workloada"), call);
        final YcsbRun run = YcsbRun.of(folder, server.address(), call.replace("workloada", "workload" + workload) +
            " -p recordcount=" + RECORDS + " -p operationcount=" + OPERATIONS + PATIENCE)
            .assertNothingFailed();

        assertEquals(reads * OPERATIONS, run.ok("READ"), reads == 1 ? 0 : FAR_OFF, run::toString);
        assertEquals(updates * OPERATIONS, run.ok("UPDATE"), updates == 0 ? 0 : FAR_OFF, run::toString);
        assertEquals(inserts * OPERATIONS, run.ok("INSERT"), inserts == 0 ? 0 : FAR_OFF, run::toString);
        // A read-modify-write is counted as a read and an update, too.
        final long both = readModifyWrites == 0 ? 0 : run.ok("UPDATE");
        assertEquals(OPERATIONS, run.ok("READ") + run.ok("UPDATE") + run.ok("INSERT") - both, run::toString);
        assertEquals(run.ok("READ"), run.ok("VERIFY"), run::toString);
    }

    @Test
    void shouldLeaveYcsbsJarsOutOfKvctl() throws Exception
    {
        try (JarFile jar = new JarFile(ProjectFolder.ROOT.resolve("tools/target/kvctl.jar").toFile()))
        {
            final String libraries = jar.getManifest().getMainAttributes().getValue("Class-Path");
            assertTrue(libraries.contains("picocli-"), libraries);
            for (final String part : new String[]{"core-0.17", "htrace", "-asl-", "ycsb"})
            {
                assertFalse(libraries.contains(part), libraries);
            }
            assertTrue(jar.getEntry("org/onesided/tools/ycsb/OnesidedClient.class") != null);
        }
        final String[] lib = ProjectFolder.ROOT.resolve("tools/target/lib").toFile().list((in, name) ->
            name.contains("htrace") || name.contains("jackson-mapper"));
        assertEquals(0, lib.length);
    }
}
