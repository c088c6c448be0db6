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
    /** Reads that meet a writer. */
    private static final int CHANGING = 100;
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
    void shouldWriteAnEntryAnew()
    {
        try (NativeArray memory = new NativeArray(length(1)))
        {
            final long directory = memory.range().address();
            add(directory, 0, 4096, 100, 1L << 40, -7);
            assertEquals(0, UnsafeApi.getLong(directory + GENERATION_OFFSET));
            remove(directory, 0);
            assertEquals(REMOVED, UnsafeApi.getInt(directory + entryOffset(0) + STATE_OFFSET));

            replace(directory, 0, 8192, 200, 1L << 41, 9);
            final long entry = directory + entryOffset(0);
            assertEquals(PRESENT, UnsafeApi.getInt(entry + STATE_OFFSET));
            assertEquals(8192, UnsafeApi.getLong(entry + TABLE_OFFSET_OFFSET));
            assertEquals(200, UnsafeApi.getLong(entry + LENGTH_OFFSET));
            assertEquals(9, UnsafeApi.getInt(entry + REMOTE_KEY_OFFSET));
            assertEquals(1, UnsafeApi.getLong(directory + COUNT_OFFSET));
            assertEquals(2, UnsafeApi.getLong(directory + GENERATION_OFFSET));
        }
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldChangeTheGenerationAroundAnEntryThatIsWrittenAnew() throws InterruptedException
    {
        final AtomicLong torn = new AtomicLong();
        final AtomicLong whole = new AtomicLong();
        try (NativeArray memory = new NativeArray(length(1)))
        {
            final long directory = memory.range().address();
            add(directory, 0, 1, 2, 3, 4);
            final Thread reader = new Thread(() -> reread(directory, whole, torn), "reader");
            reader.start();
            int i = 1;
            while (reader.isAlive())
            {
                remove(directory, 0);
                replace(directory, 0, i, i + 1, i + 2, i + 3);
                i = i % (1 << 30) + 1;
                for (int pause = 0; pause < i % 64; pause++)
                {
                    Thread.onSpinWait();
                }
            }
        }
        assertEquals(0, torn.get());
        assertTrue(whole.get() >= ENTRIES, () -> "whole=" + whole);
    }

    /**
     * Reads the entry as a client does, until it was whole often enough, and often enough not: on a busy machine reader
     * and writer may take turns, and then nothing shows.
     */
    private static void reread(final long directory, final AtomicLong whole, final AtomicLong torn)
    {
        final long entry = directory + entryOffset(0);
        int changing = 0;
        long met = 0;
        while (whole.get() < ENTRIES || changing < CHANGING)
        {
            final long generation = UnsafeApi.getLongVolatile(null, directory + GENERATION_OFFSET);
            final long address = UnsafeApi.getLongVolatile(null, entry + ADDRESS_OFFSET);
            final long offset = UnsafeApi.getLongVolatile(null, entry + TABLE_OFFSET_OFFSET);
            final long key = UnsafeApi.getIntVolatile(null, entry + REMOTE_KEY_OFFSET);
            final long length = UnsafeApi.getLongVolatile(null, entry + LENGTH_OFFSET);
            if ((generation & 1) == 0 &&
                UnsafeApi.getLongVolatile(null, directory + GENERATION_OFFSET) == generation)
            {
                whole.incrementAndGet();
                if (length != offset + 1 || address != offset + 2 || key != offset + 3)
                {
                    torn.incrementAndGet();
                }
            }
            else if (generation != met)
            {
                met = generation;
                changing++;
            }
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
