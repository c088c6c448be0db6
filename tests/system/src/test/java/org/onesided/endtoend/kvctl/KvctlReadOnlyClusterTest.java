package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.HangGuard;

/**
 * Clients that may look up only, at a cluster of three.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlReadOnlyClusterTest
{
    private static final int CANNOT_CONNECT = 4;
    private static final int READ_ONLY = 10;

    @TempDir
    private Path directory;
    private KvctlMembers members;

    @Tag("full")
    @Test
    void shouldLetReadersLookUpOnly() throws Exception
    {
        final Path writers = Files.writeString(directory.resolve("writers"), "batch:writer-secret\n");
        final Path readers = Files.writeString(directory.resolve("readers"), "reports:reader-secret\n");
        members = new KvctlMembers(
            directory, "--tokens-file", writers.toString(), "--read-tokens-file", readers.toString());
        try
        {
            members.startAll();
            final String[] create = {"cluster", "create", "--partitions", "2", "--lease", "500ms",
                members.address(0), members.address(1), members.address(2)};
            final KvctlCall.Result refused = kvctl("reader-secret", create).runHere();
            assertEquals(READ_ONLY, refused.exitCode(), refused.err());
            assertTrue(refused.err().contains("client may only look up at this server") &&
                refused.err().contains("nothing was changed"), refused.err());
            assertEquals(0, kvctl("writer-secret", create).runHere().exitCode());
            members.awaitReady();
            awaitServed();

            // Several keys, so that each partition is asked.
            for (int i = 0; i < 8; i++)
            {
                kvctl("writer-secret", "put", "key-" + i, "17").runHere().assertDone();
            }
            for (int i = 0; i < 8; i++)
            {
                for (final List<String> change : List.of(
                    List.of("put", "key-" + i, "x"), List.of("delete", "key-" + i), List.of("incr", "key-" + i),
                    List.of("append", "key-" + i, "x"), List.of("touch", "key-" + i, "1h"),
                    List.of("mput", "key-" + i, "x", "other-" + i, "x")))
                {
                    kvctl("reader-secret", change.toArray(String[]::new)).runHere()
                        .assertFailed(READ_ONLY, "client may only look up at this server");
                }
                assertEquals("17", kvctl("reader-secret", "get", "key-" + i).runHere().assertDone().out());
            }
            assertEquals(8, kvctl("reader-secret", "export").scanHere().out().lines().count());
            assertTrue(kvctl("reader-secret", "cluster", "status", members.address(1)).runHere().out()
                .contains(members.address(1)));

            // Removed at all members, the token opens none.
            Files.writeString(readers, "nobody:else\n");
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
            // It tries until its deadline.
            final KvctlCall get = kvctl("reader-secret", "get", "key-1").with("KVCTL_DEADLINE", "3s");
            KvctlCall.Result result = get.runHere();
            // On a busy machine it may not be served in so short a time, which is no answer.
            while (result.exitCode() != CANNOT_CONNECT || !result.err().contains("token"))
            {
                assertTrue(System.nanoTime() - endNs < 0, "the token is still valid: " + result.err());
                result = get.runHere();
            }
            result.assertFailed(CANNOT_CONNECT);
            kvctl("writer-secret", "put", "key-1", "18").runHere().assertDone();
        }
        finally
        {
            members.close();
        }
    }

    private void awaitServed() throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        while (kvctl("reader-secret", "cluster", "status", members.address(0)).runHere().exitCode() != 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, "the cluster is not served");
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private KvctlCall kvctl(final String token, final String... arguments)
    {
        return KvctlCall.of(arguments)
            .with("KVCTL_SERVER", String.join(",", members.addresses()))
            .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE)
            .with("KVCTL_TOKEN", token);
    }
}
