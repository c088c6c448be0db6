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
     * @param hash of the key.
     * @return state of the record.
     */
    short onInserted(long hash);

    /**
     * A key is put that has a record already.
     *
     * @param hash  of the key.
     * @param state of the record.
     * @return its state from now on.
     */
    short onOverwritten(long hash, short state);

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
