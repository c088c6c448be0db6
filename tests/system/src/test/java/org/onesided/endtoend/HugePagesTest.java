package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;

/**
 * A store in huge pages, and one that cannot have them. The test mounts shared memory of its own.
 */
class HugePagesTest
{
    private static final String BASE_PROPERTY = "onesided.shm.dir";

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
        final String options = "size=128m," + option;
        assumeTrue(
            run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString()) == 0, "cannot mount");
        final String before = System.getProperty(BASE_PROPERTY);
        System.setProperty(BASE_PROPERTY, directory.toString());
        try (TestStore store = new TestStore(TestStore.options().hugePages(hugePages));
            StoreClient client = store.clientBuilder().hugePages(hugePages).build())
        {
            final byte[] value = TestStore.randomBytes(3 << 20, 1);
            client.put(TestStore.bytes("key"), value);
            assertArrayEquals(value, client.get(TestStore.bytes("key")));
            assertEquals(store.server().hugePages(), client.server().hugePages());
            return client.server().hugePages();
        }
        finally
        {
            if (before == null)
            {
                System.clearProperty(BASE_PROPERTY);
            }
            else
            {
                System.setProperty(BASE_PROPERTY, before);
            }
            assertEquals(0, run("umount", directory.toString()));
        }
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
