package org.onesided.server.shard.requests;

import org.onesided.server.shard.execution.Request;

/**
 * Owns puts that wait for room in the heap. Called on the shard's thread.
 */
interface RoomOwner
{
    /** Result of retrying a put. */
    enum Outcome
    {
        /** The put is answered, or its value is being pulled. */
        DONE,
        /** The heap still has no room. */
        NO_ROOM,
        /** The index has no memory or slot for the key yet. That says nothing about room for others. */
        NO_INDEX,
        /** The session cannot execute the put now, independent of room. */
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
     * Tells how much room a put needs. Called right after the put found none, as what an increment or append needs
     * depends on the key's present value.
     *
     * @param request as it was given to {@link RoomQueue#add}.
     * @return length of its record in bytes.
     */
    long neededLength(Request request);

    /**
     * Refuses a put that has waited long enough.
     *
     * @param request as it was given to {@link RoomQueue#add}.
     * @return whether that could be answered.
     */
    boolean giveUp(Request request);

    /** An unexpected error. */
    void onError(RuntimeException e);
}
