package org.onesided.server.table;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;

/**
 * Cells of raw memory for the states of a stress test, which are many at a time and never closed: whoever is done with
 * a cell gives it back. Thread-safe.
 */
public final class StressMemory
{
    private static final int CELLS = 1024;

    private final int cellLength;
    private final ArrayDeque<Long> idle = new ArrayDeque<>();
    /** Keeps the cells in memory. */
    private final List<ByteBuffer> buffers = new ArrayList<>();

    /**
     * @param cellLength in bytes, a multiple of 64.
     */
    public StressMemory(final int cellLength)
    {
        this.cellLength = cellLength;
    }

    /**
     * @return raw address of a cell.
     */
    public synchronized long take()
    {
        if (idle.isEmpty())
        {
            final ByteBuffer buffer = BufferUtil.allocateDirectAligned(CELLS * cellLength, 64);
            buffers.add(buffer);
            for (int i = 0; i < CELLS; i++)
            {
                idle.add(BufferUtil.address(buffer) + (long)i * cellLength);
            }
        }
        return idle.poll();
    }

    /**
     * @param cell that nobody uses any more.
     */
    public synchronized void giveBack(final long cell)
    {
        idle.add(cell);
    }
}
