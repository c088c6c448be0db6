package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.HangGuard;

/**
 * A cluster of three is looked after while it runs. The last test kills a member.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KvctlOperateTest
{
    private static final int NOT_SERVED = 9;
    private static final int PARTITIONS = 3;

    private KvctlMembers members;

    @BeforeAll
    void form(@TempDir final Path directory) throws Exception
    {
        members = new KvctlMembers(directory);
        members.startAll();
        assertEquals(0, KvctlMembers.create("--partitions", Integer.toString(PARTITIONS), "--lease", "500ms",
            members.address(0), members.address(1), members.address(2)).exitCode());
        members.awaitReady();
        members.awaitServed();
    }

    @AfterAll
    void end() throws Exception
    {
        members.close();
    }

    private KvctlCall.Result cluster(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(arguments));
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", KvctlMembers.DEADLINE)
            .with("KVCTL_SERVER", members.address(0)).runHere();
    }

    private String awaitSync() throws InterruptedException
    {
        final KvctlCall.Result result = cluster("status", "--wait", HangGuard.seconds(240) + "s", "-o", "json");
        assertEquals(0, result.exitCode(), result.err());
        return result.out();
    }

    /** On a busy machine leaders may change, and members lag, at any time, so that one attempt is not enough. */
    private KvctlCall.Result untilDone(final String... arguments) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        while (true)
        {
            awaitSync();
            final KvctlCall.Result result = cluster(arguments);
            if (result.exitCode() == 0)
            {
                return result;
            }
            assertTrue(result.exitCode() == 1 || result.exitCode() == NOT_SERVED, result.err());
            assertTrue(System.nanoTime() - endNs < 0, result.err());
        }
    }

    @Test
    @Order(1)
    void shouldShowWhoFollows() throws Exception
    {
        final String json = awaitSync();
        assertTrue(json.contains("\"not_in_sync\":0"), json);
        assertEquals(2 * PARTITIONS, json.split("\"in_sync\":true", -1).length - 1, json);
        final KvctlCall.Result table = cluster("status", "--wait", "1m");
        assertTrue(table.out().contains("in sync"), table.out());
        assertTrue(table.out().contains("behind"), table.out());
    }

    @Test
    @Order(2)
    void shouldLetAMemberLeadAll() throws Exception
    {
        final KvctlCall.Result result = untilDone("transfer", "-o", "json", "all", "3");
        assertTrue(result.out().startsWith("{\"member\":3,\"moved\":"), result.out());
        final KvctlCall.Result again = untilDone("transfer", "-o", "json", "all", members.address(2));
        assertTrue(again.out().startsWith("{\"member\":3,\"moved\":"), again.out());
        assertEquals("", untilDone("transfer", "all", "3").out());
    }

    @Test
    @Order(3)
    void shouldSpreadLeaders() throws Exception
    {
        untilDone("transfer", "all", members.address(2));
        final KvctlCall.Result dry = untilDone("rebalance", "--dry-run", "-o", "json");
        assertTrue(dry.out().startsWith("{\"dry_run\":true,\"left_out\":0,\"moves\":["), dry.out());
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        String told = untilDone("rebalance").err();
        while (!told.contains("nothing to move: member-1=1 member-2=1 member-3=1"))
        {
            assertTrue(System.nanoTime() - endNs < 0, told);
            told = untilDone("rebalance").err();
        }
    }

    @Test
    @Order(4)
    void shouldRefuseWhatCannotBe() throws Exception
    {
        awaitSync();
        for (final String[] wrong : new String[][]{
            {"there is no such partition", "transfer", "3", "1"},
            {"there is no such partition", "transfer", "1x", "1"},
            {"no such member, name one by its number or address: member=4 members=1@", "transfer", "all", "4"},
            {"no such member, name one by its number or address: member=127.0.0.1:1 members=1@", "transfer", "all",
                "127.0.0.1:1"},
            {"--watch and --wait", "status", "--watch", "1", "--wait", "1s"}})
        {
            final KvctlCall.Result result = cluster(List.of(wrong).subList(1, wrong.length).toArray(String[]::new));
            assertEquals(2, result.exitCode(), result.err());
            assertTrue(result.err().contains(wrong[0]), result.err());
            assertEquals(1, result.err().lines().count(), result.err());
        }
        try (KvctlServer alone = KvctlServer.start())
        {
            KvctlCall.of("cluster", "transfer", "--server", alone.address(), "0", "1").runHere()
                .assertFailed(1, "not a member of a cluster");
            KvctlCall.of("cluster", "rebalance", alone.address()).runHere()
                .assertFailed(1, "not a member of a cluster");
        }
    }

    @Test
    @Order(5)
    void shouldNotGiveLeadershipToAMemberThatIsAway() throws Exception
    {
        untilDone("transfer", "all", "1");
        members.member(2).end(true);
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        KvctlCall.Result result;
        do
        {
            assertTrue(System.nanoTime() - endNs < 0, "a member that is dead stays in sync");
            result = cluster("transfer", "all", "3");
        }
        while (result.exitCode() == 0 || !result.err().contains("not in sync"));
        assertEquals(1, result.exitCode(), result.err());
        final KvctlCall.Result status = cluster("status", "--wait", "2s");
        assertEquals(NOT_SERVED, status.exitCode(), status.err());
    }
}
