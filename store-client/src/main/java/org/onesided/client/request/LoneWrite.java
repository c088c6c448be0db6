package org.onesided.client.request;

import org.onesided.client.exceptions.StoreException;
import org.onesided.protocol.rpc.codec.Status;

/**
 * State and outcome of a write with no other write in flight. Not thread-safe.
 */
final class LoneWrite
{
    /** No outcome: the write must be staged, or staged again. */
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

    /** The write ended with one of {@link Outcomes}, or must be staged again. */
    void end(final byte ended, final StoreException reason)
    {
        kind = ended;
        failure = reason;
    }

    /** The server postponed the write. */
    void putOff(final Status status)
    {
        putOff = status;
    }

    /** The write was abandoned; {@code isPulledYet}: whether the server may still pull its value. */
    void giveUp(final boolean isPulledYet)
    {
        mayBePulled = isPulledYet;
    }

    /** One of {@link Outcomes}, or {@link #AGAIN}. */
    byte kind()
    {
        return kind;
    }

    /** Why it failed, or null. */
    StoreException failure()
    {
        return failure;
    }

    /** Takes the status with which the server postponed the write, or null. */
    Status takePutOff()
    {
        final Status taken = putOff;
        putOff = null;
        return taken;
    }

    /** Whether the write was abandoned while the server may still pull its value. */
    boolean mayBePulled()
    {
        return mayBePulled;
    }
}
