package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.testing.HangGuard;

/**
 * READs of a record that changes meanwhile, as a shard's writer changes it: some come torn, and the record's check
 * tells each of them.
 */
class TornReadTest extends IwarpTest
{
    private static final int LEAST_TORN = 10;
    private static final int LEAST_WHOLE = 10;
    /** A READ that comes torn makes the writer's pause longer by such a part, one that comes whole shorter. */
    private static final int PAUSE_STEP = 4;
    private static final long TABLE_OFFSET = 4096;
    private static final RecordCheck CHECK = new RecordCheck(17);

    /** How often the writer spins between two records. */
    private volatile int pause;

    @ParameterizedTest
    @ValueSource(ints = {1024, 4096, 100_000})
    void shouldBeToldByTheRecordsCheck(final int length) throws Exception
    {
        final IwarpPeer peer = initiate(link());
        final AtomicBoolean isDone = new AtomicBoolean();
        pause = length / 128;
        final Thread writer = new Thread(() -> write(length, isDone), "torn-writer");
        writer.start();
        int torn = 0;
        int whole = 0;
        try
        {
            final ByteBuffer record = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
            final ReadRequest request = readOf(0, length);
            // Several are under way, so that the device reads on while this thread waits for a core.
            for (int i = 1; i < DEPTH; i++)
            {
                peer.read(request);
            }
            final long endNs = System.nanoTime() + HangGuard.nanos(100);
            while (torn < LEAST_TORN || whole < LEAST_WHOLE)
            {
                assertTrue(System.nanoTime() - endNs < 0, "torn=" + torn + " whole=" + whole);
                peer.read(request);
                record.clear().put(peer.response(request));
                final long code = record.getLong(RecordDescriptor.CHECK_OFFSET);
                if (code == RecordDescriptor.BEING_WRITTEN)
                {
                    continue;
                }
                if (code == CHECK.code(BufferUtil.address(record), length, TABLE_OFFSET))
                {
                    checkWhole(record);
                    whole++;
                    pause -= pause / PAUSE_STEP;
                }
                else
                {
                    // Before one was whole, there may have been no record at all.
                    torn += whole > 0 ? 1 : 0;
                    pause = Math.min(pause + pause / PAUSE_STEP + 1, 16 * length);
                }
            }
        }
        finally
        {
            isDone.set(true);
            writer.join();
        }
        // For tests/run bank.
        System.out.println("torn READs caught: " + torn);
    }

    /** In place, in the order of a shard's writer. */
    private void write(final int length, final AtomicBoolean isDone)
    {
        final ByteBuffer[] records = new ByteBuffer[2];
        for (int i = 0; i < records.length; i++)
        {
            records[i] = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
            for (int offset = RecordDescriptor.VERSION_OFFSET; offset < length; offset += Long.BYTES)
            {
                records[i].putLong(offset, i + 1);
            }
            records[i].putLong(
                RecordDescriptor.CHECK_OFFSET, CHECK.code(BufferUtil.address(records[i]), length, TABLE_OFFSET));
        }
        final long target = end.address(0);
        for (int i = 0; !isDone.get(); i ^= 1)
        {
            final long source = BufferUtil.address(records[i]);
            UnsafeApi.putLongOpaque(null, target, RecordDescriptor.BEING_WRITTEN);
            UnsafeApi.storeStoreFence();
            UnsafeApi.copyMemory(
                source + RecordDescriptor.VERSION_OFFSET, target + RecordDescriptor.VERSION_OFFSET,
                length - RecordDescriptor.VERSION_OFFSET);
            UnsafeApi.putLongRelease(
                null, target + RecordDescriptor.CHECK_OFFSET, records[i].getLong(RecordDescriptor.CHECK_OFFSET));
            // READs are to find it whole, too.
            for (int left = pause; left > 0; left--)
            {
                Thread.onSpinWait();
            }
        }
    }

    private static void checkWhole(final ByteBuffer record)
    {
        final long number = record.getLong(RecordDescriptor.VERSION_OFFSET);
        for (int i = RecordDescriptor.VERSION_OFFSET; i < record.capacity(); i += Long.BYTES)
        {
            assertEquals(number, record.getLong(i), "a torn record passed its check: offset=" + i);
        }
    }
}
