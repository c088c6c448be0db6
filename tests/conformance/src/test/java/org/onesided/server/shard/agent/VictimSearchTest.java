package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.table.ShardMemory;

/** Most of the index is empty, as long records took the place of many: looks at random buckets often find none. */
class VictimSearchTest
{
    private static final long MEMORY = 4 << 20;
    /** Keys that let the index grow before they go again. */
    private static final int GONE_KEYS = 40_000;
    private static final int LONG_KEYS = 40;
    /** A few fit. */
    private static final int LONG = 700_000;
    /** So many rounds in a row that do nothing are rest. */
    private static final int IDLE_ROUNDS = 20;

    private final long[] clock = { 1_000_000 };
    private final MemoryLog log = new MemoryLog();
    private long id;

    @TempDir
    private Path directory;

    private void send(final LoggedTable table, final byte[] request)
    {
        while (!table.send(0, request))
        {
            log.commit(1);
            table.step();
            takeAnswers(table);
        }
    }

    private static void takeAnswers(final LoggedTable table)
    {
        for (byte[] answer = table.answer(0); answer != null; answer = table.answer(0))
        {
            assertEquals(Status.OK, status(answer));
        }
    }

    private static Status status(final byte[] answer)
    {
        return new WriteAnswerDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(answer), 0, new MessageHeaderDecoder()).status();
    }

    @Test
    void shouldNotRestWhileALongValueWaitsForRoom()
    {
        try (LoggedTable table = new LoggedTable(
            log, MEMORY, 1, clock, new SnapshotStore(directory, 1, 0, 1), Eviction.DENSITY, 1, ShardMemory::whole))
        {
            table.recover();
            table.connect(0);
            for (int i = 0; i < GONE_KEYS; i++)
            {
                send(table, put(++id, "gone" + i, new byte[1]));
            }
            for (int i = 0; i < GONE_KEYS; i++)
            {
                send(table, delete(++id, "gone" + i));
            }
            table.settle();
            takeAnswers(table);
            for (int i = 0; i < LONG_KEYS; i++)
            {
                table.send(0, putLarge(++id, "long" + i, LONG));
                byte[] answer = table.answer(0);
                for (int idle = 0; answer == null; answer = table.answer(0))
                {
                    log.commit(Integer.MAX_VALUE);
                    idle = table.shard().doWork() > 0 || !log.isDrained() ? 0 : idle + 1;
                    assertTrue(idle < IDLE_ROUNDS, "value=" + i + " records=" + table.table().recordCount());
                }
                assertEquals(Status.OK, status(answer));
            }
        }
    }
}
