package org.onesided.powercut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What {@code tests/run bad-disk} and {@code tests/run flush-points} do for longer. It needs the disks of the virtual
 * machine that {@code tests/vm/run-tests --full --disks} gives it.
 */
@Tag("rdma")
@Tag("full")
@Timeout(900)
class DisksTest
{
    private final long seed = System.nanoTime() & 0xFFFF_FFFFL;

    @BeforeEach
    void needDisks()
    {
        assumeTrue(Files.exists(Path.of("/dev/vdd")), "there are no disks");
    }

    @Test
    void shouldRefuseWritesWhileTheDiskFailsAndHaveAllThatWasAcknowledged() throws IOException, InterruptedException
    {
        assertEquals("", BadDisk.run(1, 0, seed));
    }

    @Test
    void shouldHaveAllThatWasAcknowledgedByAFlush() throws IOException, InterruptedException
    {
        assertEquals("", FlushPoints.run(4, 3, seed));
    }
}
