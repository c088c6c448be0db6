package org.onesided.server.table;

/**
 * Records whose removal to make room was decided and is still to come. Called on the shard's thread.
 */
public interface LeavingRecords
{
    /** There are none. */
    LeavingRecords NONE = new LeavingRecords()
    {
        @Override
        public boolean contains(final long hash)
        {
            return false;
        }

        @Override
        public void onGone(final long hash)
        {
        }
    };

    /**
     * Tells whether a key's record is among them.
     *
     * @param hash of the key.
     * @return whether it is.
     */
    boolean contains(long hash);

    /**
     * A key has no record any more, because it was deleted or its time is over.
     *
     * @param hash of the key.
     */
    void onGone(long hash);
}
