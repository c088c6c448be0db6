package org.onesided.client.request;

import org.onesided.client.exceptions.StoreException;
import org.onesided.protocol.rpc.codec.Status;

/**
 * What became of a write that nothing else is under way with, so far. Not thread-safe.
 */
final class LoneWrite
{
    /** It has no outcome: it is to be staged, or staged anew. */
    static final byte AGAIN = -1;

    private byte kind;
    private StoreException failure;
    private Status putOff;
    private boolean mayBePulled;

    /** Another write begins. */
    void begin()
    {
        kind = AGAIN;
        failure = null;
        putOff = null;
        mayBePulled = false;
    }

    /** It ended as {@link Outcomes} tell it, or is to be staged anew. */
    void end(final byte ended, final StoreException reason)
    {
        kind = ended;
        failure = reason;
    }

    /** The server has not done it, and may do it later. */
    void putOff(final Status status)
    {
        putOff = status;
    }

    /** It was given up; whether the server may pull its value yet. */
    void giveUp(final boolean isPulledYet)
    {
        mayBePulled = isPulledYet;
    }

    /** How it ended, as {@link Outcomes} tell it, or {@link #AGAIN}. */
    byte kind()
    {
        return kind;
    }

    /** Why it failed, or null. */
    StoreException failure()
    {
        return failure;
    }

    /** Tells once with what the server put it off; null if it did not. */
    Status takePutOff()
    {
        final Status taken = putOff;
        putOff = null;
        return taken;
    }

    /** Whether it was given up while the server may pull its value yet. */
    boolean mayBePulled()
    {
        return mayBePulled;
    }
}
