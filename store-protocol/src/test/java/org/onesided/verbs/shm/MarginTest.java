package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

class MarginTest
{
    @Test
    void shouldStayFree() throws IOException
    {
        try (ContextDirectory directory = ContextDirectory.create())
        {
            final FileStore store = Files.getFileStore(directory.path());
            directory.checkGrowth("file", 4096);
            final long left = store.getUsableSpace();
            final VerbsException refused =
                assertThrows(VerbsException.class, () -> directory.checkGrowth("file", left - (1 << 20)));
            assertEquals(Errno.ENOSPC, refused.errno());
            assertTrue(refused.getMessage().contains("--shm-size"), refused.getMessage());
        }
    }
}
