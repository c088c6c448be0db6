package org.onesided.verbs.shm;

import java.util.function.Consumer;
import org.onesided.verbs.GrowableMemory;

/**
 * Memory in a file that peers can map, as long as all its addresses from the start, and whose blocks come piece by
 * piece.
 */
final class GrowableShmMemory extends ShmMemory implements GrowableMemory
{
    private final SparseFile file;

    /**
     * @param onFree is told when the memory is about to be unmapped.
     * @param file   owned by the memory.
     */
    GrowableShmMemory(
        final Consumer<ShmMemory> onFree, final int number, final SparseFile file, final long length)
    {
        super(onFree, number, file.mapping(), length);
        this.file = file;
    }

    @Override
    public void commit(final long offset, final long length)
    {
        range().addressOf(offset, length);
        file.commit(offset, length);
    }

    @Override
    public void checkGrowth(final long length)
    {
        file.checkGrowth(length);
    }

    @Override
    public void release(final long offset, final long length)
    {
        range().addressOf(offset, length);
        file.release(offset, length);
    }

    @Override
    public long committed()
    {
        return file.committed();
    }

    @Override
    public long kept()
    {
        return file.kept();
    }

    @Override
    void freed()
    {
        file.close();
    }
}
