package org.onesided.server.table;

/**
 * Chooses which records leave a shard's table when its memory is full. The table keeps 16 bits for each record on its
 * behalf, the record's state. What it does depends on these calls only, so that the same calls give the same table.
 * Called on the shard's thread.
 */
public interface Evictor
{
    /**
     * A key is put that had no record.
     *
     * @param hash   of the key.
     * @param length of the record in bytes, in whole granules.
     * @return state of the record.
     */
    short onInserted(long hash, long length);

    /**
     * A key is put that has a record already.
     *
     * @param hash  of the key.
     * @param state of the record.
     * @return its state from now on.
     */
    short onOverwritten(long hash, short state);

    /**
     * A key was deleted.
     *
     * @param hash of the key.
     */
    default void onDeleted(final long hash)
    {
    }

    /**
     * Estimates how many lookups would have found their key with other memory. Safe to call from any thread.
     *
     * @param doublings how often half of the memory is doubled, from 0 to 2.
     * @return the estimate, or 0 for none.
     */
    default long estimatedHits(final int doublings)
    {
        return 0;
    }

    /**
     * Tells of how many lookups the {@link #estimatedHits} are. Safe to call from any thread.
     *
     * @return an estimate, or 0 for none.
     */
    default long estimatedLookups()
    {
        return 0;
    }

    /**
     * Tells how many candidates it wants to choose from. It may get fewer, or a few more.
     *
     * @return how many, at most {@link EvictionCandidates#MAX_WANTED}.
     */
    int candidatesWanted();

    /**
     * Chooses a record that leaves the table.
     *
     * @param candidates at least one that may leave.
     * @return index of the record, which may leave.
     */
    int choose(EvictionCandidates candidates);
}
