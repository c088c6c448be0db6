package org.onesided.server.shard.snapshot;

import java.util.function.LongConsumer;
import org.onesided.server.shard.apply.EntryApplier;

/**
 * The start of a shard with the table that it had before: its newest snapshot is loaded, and then the entries behind it
 * are applied, until the log takes proposals or another member leads. Belongs to the shard's thread.
 */
public final class ShardRecovery implements AutoCloseable
{
    private final EntryApplier applier;
    private final LongConsumer onReadBack;
    private final Runnable onRecovered;
    /** Null once the snapshot is loaded. */
    private SnapshotLoad load;
    private boolean isOver;

    /**
     * @param load        of the newest snapshot; null if there is none.
     * @param applier     goes on behind the snapshot.
     * @param onReadBack  told how many bytes were read.
     * @param onRecovered run once, at the end.
     */
    public ShardRecovery(
        final SnapshotLoad load, final EntryApplier applier, final LongConsumer onReadBack, final Runnable onRecovered)
    {
        this.load = load;
        this.applier = applier;
        this.onReadBack = onReadBack;
        this.onRecovered = onRecovered;
    }

    /**
     * @return whether the snapshot is still to be loaded, and no entry to be applied.
     */
    public boolean isLoading()
    {
        return load != null;
    }

    /**
     * @return whether what the shard has from its log is what it had before, so that what comes is new.
     */
    public boolean isOver()
    {
        return isOver;
    }

    /**
     * Goes on with the snapshot.
     *
     * @return how much was done.
     */
    public int load()
    {
        final long before = load.position();
        final int done = load.step();
        onReadBack.accept(load.position() - before);
        if (load.isLoaded())
        {
            applier.startBehind(load.header().index(), load.header().term());
            load = null;
            // The log has woken the shard already.
            return 1;
        }
        return done;
    }

    /**
     * An entry of that length is handed over.
     *
     * @param length of the entry in bytes.
     */
    public void onEntry(final int length)
    {
        if (!isOver)
        {
            onReadBack.accept(length);
        }
    }

    /** All was read back, or the rest comes from the leader, and nobody waits for that. */
    public void end()
    {
        isOver = true;
        onRecovered.run();
    }

    @Override
    public void close()
    {
        if (load != null)
        {
            load.close();
        }
    }
}
