package org.onesided.server.shard;

/**
 * Has puts that wait for room in the heap. Called on the shard's thread.
 */
interface RoomOwner
{
    /**
     * Tries a put again.
     *
     * @param request as it was given to {@link RoomQueue#add}.
     * @return whether it is dealt with.
     */
    boolean retry(Request request);

    /**
     * Refuses a put that has waited long enough.
     *
     * @param request as it was given to {@link RoomQueue#add}.
     * @return whether that could be answered.
     */
    boolean giveUp(Request request);

    /** An error that nobody foresaw. */
    void onError(RuntimeException e);
}
