package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.protocol.table.SegmentDirectoryDescriptor.*;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.NativeArray;

class SegmentDirectoryTest
{
    private static final int ENTRIES = 1 << 12;
    private static final int ROUNDS = 300;

    @Test
    void shouldHoldWhatWasAdded()
    {
        try (NativeArray memory = new NativeArray(length(2)))
        {
            final long directory = memory.range().address();
            add(directory, 0, 4096, 100, 1L << 40, -7);
            add(directory, 1, 1L << 45, 1L << 33, -8, 9);

            assertEquals(2, UnsafeApi.getLong(directory + COUNT_OFFSET));
            final long second = directory + entryOffset(1);
            assertEquals(1L << 45, UnsafeApi.getLong(second + TABLE_OFFSET_OFFSET));
            assertEquals(1L << 33, UnsafeApi.getLong(second + LENGTH_OFFSET));
            assertEquals(-8, UnsafeApi.getLong(second + ADDRESS_OFFSET));
            assertEquals(9, UnsafeApi.getInt(second + REMOTE_KEY_OFFSET));
            assertEquals(-7, UnsafeApi.getInt(directory + entryOffset(0) + REMOTE_KEY_OFFSET));
            assertEquals(memory.range().length(), entryOffset(2));
        }
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldCountNoEntryBeforeItIsWhole() throws InterruptedException
    {
        final AtomicLong seen = new AtomicLong();
        final AtomicLong torn = new AtomicLong();
        try (NativeArray memory = new NativeArray(length(ENTRIES)))
        {
            final long directory = memory.range().address();
            for (int round = 0; round < ROUNDS; round++)
            {
                UnsafeApi.setMemory(null, directory, memory.range().length(), (byte)0);
                final Thread reader = new Thread(() -> watch(directory, seen, torn), "reader");
                reader.start();
                while (seen.get() != -1 && reader.isAlive())
                {
                    Thread.onSpinWait();
                }
                for (int i = 0; i < ENTRIES; i++)
                {
                    add(directory, i, i + 1, i + 2, i + 3, i + 4);
                }
                reader.join();
            }
        }
        assertEquals(0, torn.get());
        assertTrue(seen.get() > 0);
    }

    /** Looks at the newest entry whenever the count has changed. */
    private static void watch(final long directory, final AtomicLong seen, final AtomicLong torn)
    {
        seen.set(-1);
        long known = 0;
        while (known < ENTRIES)
        {
            final long count = UnsafeApi.getLongVolatile(null, directory + COUNT_OFFSET);
            if (count != known)
            {
                final long entry = directory + entryOffset(count - 1);
                if (UnsafeApi.getLong(entry + TABLE_OFFSET_OFFSET) != count ||
                    UnsafeApi.getLong(entry + LENGTH_OFFSET) != count + 1 ||
                    UnsafeApi.getLong(entry + ADDRESS_OFFSET) != count + 2 ||
                    UnsafeApi.getInt(entry + REMOTE_KEY_OFFSET) != count + 3)
                {
                    torn.incrementAndGet();
                }
                known = count;
            }
        }
        seen.set(known);
    }
}
