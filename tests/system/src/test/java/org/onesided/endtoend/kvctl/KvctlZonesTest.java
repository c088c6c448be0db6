package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.testing.HangGuard;

/**
 * A cluster whose servers are in zones, two of them in the same.
 */
@Tag("full")
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlZonesTest
{
    private static final List<String> ZONES = List.of("east", "east", "west", "north");
    private static final int PARTITIONS = 4;

    @TempDir
    private Path directory;

    private KvctlMembers members;

    @BeforeEach
    void choosePorts() throws IOException
    {
        members = new KvctlMembers(directory);
    }

    @AfterEach
    void close() throws Exception
    {
        members.close();
    }

    private void form() throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of("--partitions", "" + PARTITIONS, "--lease", "500ms"));
        for (int i = 0; i < ZONES.size(); i++)
        {
            members.zone(i, ZONES.get(i));
            members.startBlank(i);
            arguments.add(members.address(i));
        }
        final KvctlCall.Result formed = KvctlMembers.create(arguments.toArray(String[]::new));
        assertEquals(0, formed.exitCode(), formed.err());
        assertFalse(formed.err().contains("fewer zones") || formed.err().contains("not spread"), formed.err());
    }

    private KvctlCall.Result succeed(final String... arguments)
    {
        final KvctlCall.Result result = members.cluster(arguments);
        assertEquals(0, result.exitCode(), result.err());
        return result;
    }

    private String status() throws InterruptedException
    {
        return KvctlMembers.awaitServed("--wait", KvctlMembers.DEADLINE, "-o", "json", members.address(0));
    }

    private void assertInAllZones(final String json)
    {
        assertTrue(json.contains("\"sharing_zones\":0"), json);
        assertEquals(PARTITIONS, json.split("\"zones\":3", -1).length - 1, json);
    }

    @Test
    void shouldKeepReplicasOfAPartitionInDifferentZones() throws Exception
    {
        form();
        final String begun = status();
        assertInAllZones(begun);
        // Members have the numbers in which they were named, and those that share a zone share its replicas.
        for (int i = 0; i < ZONES.size(); i++)
        {
            assertTrue(begun.contains("\"number\":" + (i + 1) + ",\"address\":\"" + members.address(i) + "\""), begun);
        }
        assertEquals(2, begun.split("\"keeps\":2,", -1).length - 1, begun);
        assertEquals(2, begun.split("\"keeps\":4,", -1).length - 1, begun);
        assertEquals(2, begun.split("\"zone\":\"east\"", -1).length - 1, begun);
        assertFalse(succeed("rebalance", "--dry-run").err().contains("would move a replica"));

        try (StoreClient client = StoreClient.builder().server(members.address(3)).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build())
        {
            client.put("key".getBytes(), "value".getBytes());

            final boolean isFirst = begun.contains("\"partition\":0,\"members\":\"1,3,4\"");
            final KvctlCall.Result moved = succeed("move", "0", "3", isFirst ? "2" : "1");
            assertTrue(moved.err().contains("in the same zone already: partition=0 zone=east members=[" +
                (isFirst ? 1 : 2) + "]"), moved.err());
            final String table = KvctlMembers.awaitServed(members.address(0));
            assertTrue(table.contains("warning: partitions have several replicas in one zone"), table);
            assertTrue(table.contains("room: partitions=0\n"), table);
            final KvctlCall.Result planned = succeed("rebalance", "--dry-run");
            assertTrue(planned.err().contains("would move a replica: partition=0 from="), planned.err());
            assertTrue(status().contains("\"sharing_zones\":1"));
            succeed("rebalance");
            assertInAllZones(status());
            assertEquals("value", new String(client.get("key".getBytes())));

            // Without the only server of its zone, each partition is twice in the east.
            final KvctlCall.Result drained = succeed("drain", "--dry-run", "3");
            assertTrue(drained.err().contains("start servers in other zones: partitions=[0, 1, 2, 3]"), drained.err());
        }
    }
}
