package org.onesided.server.shard;

/**
 * Has puts that wait for room in the heap. Called on the shard's thread.
 */
interface RoomOwner
{
    /** What came of trying a put again. */
    enum Outcome
    {
        /** It is answered, or its value is being pulled. */
        DONE,
        /** The heap still has no room for it. */
        NO_ROOM,
        /** Its session cannot have it executed now, whatever room there is. */
        NOT_NOW
    }

    /**
     * Tries a put again.
     *
     * @param request as it was given to {@link RoomQueue#add}.
     * @return what came of it.
     */
    Outcome retry(Request request);

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
