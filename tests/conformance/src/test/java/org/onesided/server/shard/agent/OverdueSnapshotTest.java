package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.server.snapshot.SnapshotStore;

/** A log whose shard cannot write snapshots. */
class OverdueSnapshotTest
{
    private static final long MEMORY = 16 << 20;

    private final long[] clock = { 1_000_000 };

    @TempDir
    private Path directory;

    private static WriteAnswerDecoder answer(final LoggedTable table)
    {
        final byte[] answer = table.answer(0);
        assertNotNull(answer);
        return new WriteAnswerDecoder().wrapAndApplyHeader(new UnsafeBuffer(answer), 0, new MessageHeaderDecoder());
    }

    /** Each entry takes memory, however short it is. */
    @Test
    void shouldRefuseWritesBeforeALogWithoutSnapshotsFillsTheHeap() throws IOException
    {
        final MemoryLog log = new MemoryLog();
        final Path files = directory.resolve("first");
        try (LoggedTable table = new LoggedTable(log, MEMORY, clock, new SnapshotStore(files, 1, 0, 1), 10))
        {
            table.recover();
            table.connect(0);
            table.settle();
            Files.delete(files);
            long id = 0;
            Status status = Status.OK;
            while (status == Status.OK)
            {
                assertTrue(id < 100, "the log grows without end");
                table.send(0, put(++id, "k1", 10, ExpiryKind.AFTER, 1));
                table.settle();
                status = answer(table).status();
                awaitFailure(table);
            }
            assertEquals(Status.STORAGE_FAILED, status);
            assertTrue(id > 10, "refused=" + id);
            assertFalse(table.shard().metrics().durability().takesWrites());
            final int before = log.entries().size();
            clock[0] += 1000;
            table.settle();
            assertEquals(before, log.entries().size(), "time stands still");

            Files.createDirectory(files);
            table.send(0, snapshot(++id));
            table.awaitSnapshot();
            assertNotNull(table.answer(0));
            table.send(0, put(++id, "k1", new byte[10]));
            table.settle();
            assertEquals(Status.OK, answer(table).status());
            assertTrue(table.shard().metrics().durability().takesWrites());
        }
    }

    /** The thread that writes a snapshot may take a moment to fail. */
    private static void awaitFailure(final LoggedTable table)
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (table.shard().metrics().durability().snapshotProgress() >= 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, "the snapshot does not fail");
            table.step();
        }
    }
}
