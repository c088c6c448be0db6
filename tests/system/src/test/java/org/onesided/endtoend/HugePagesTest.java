package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.shm.MountedSharedMemory;

/**
 * A store in huge pages, and one that cannot have them. The test mounts shared memory of its own.
 */
class HugePagesTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldTellEverybodyThatTheTableIsInHugePages() throws Exception
    {
        assertEquals(true, startAndAsk("huge=advise", HugePages.AUTO));
        assertEquals(true, startAndAsk("huge=advise", HugePages.ON));
        assertEquals(false, startAndAsk("huge=advise", HugePages.OFF));
        assertEquals(false, startAndAsk("huge=never", HugePages.AUTO));
    }

    @Test
    void shouldNotStartWithoutHugePagesThatMustBe() throws Exception
    {
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> startAndAsk("huge=never", HugePages.ON));
        assertTrue(refused.getMessage().contains("huge=advise"), refused.getMessage());
    }

    private boolean startAndAsk(final String option, final HugePages hugePages) throws Exception
    {
        assumeTrue(Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage/shmem_enabled")), "no huge pages");
        try (MountedSharedMemory mounted = MountedSharedMemory.at(directory, "size=128m," + option);
            TestStore store = new TestStore(TestStore.options().hugePages(hugePages));
            StoreClient client = store.clientBuilder().hugePages(hugePages).build())
        {
            assertTrue(mounted.isUsed());
            final byte[] value = TestStore.randomBytes(3 << 20, 1);
            client.put(TestStore.bytes("key"), value);
            assertArrayEquals(value, client.get(TestStore.bytes("key")));
            assertEquals(store.server().hugePages(), client.server().hugePages());
            return client.server().hugePages();
        }
    }
}
