package org.onesided.verbs.tcp;

import java.util.concurrent.TimeUnit;

/**
 * How long a peer has owed a sign of life. Any bytes from the peer are a sign, and so is a full socket that accepts
 * more. The answer to a READ proves that everything before the READ has arrived; if no READ follows the last request,
 * one of no length is due after a quarter of the peer's time.
 *
 * <p>A peer has the time of the queue pair's attributes, and more for bytes still in transit through a slow network.
 * Guarded by the queue pair's lock.
 */
final class Silence
{
    /** Result of {@link #pass}: nothing to do. */
    static final int WAIT = 0;
    /** Result: ask the peer whether the last bytes have arrived. */
    static final int ASK = 1;
    /** Result: the peer's time is up. */
    static final int OVER = 2;

    /** Speed of the slowest network, for the additional time per unconfirmed byte. */
    private static final int BYTES_PER_SECOND = 128 * 1024;
    /** Upper limit of the bytes that a kernel buffers for a connection by default. */
    private static final long MAX_BYTES = 8 << 20;
    private static final long BYTE_NS = TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
    private static final int ASK_FRACTION = 4;
    private static final long NONE = -1;

    private boolean unproven;
    private boolean owing;
    private boolean broken;
    private long passedNs;
    /** The READ whose answer proves the arrival of the bytes before it. */
    private long provingRead = NONE;
    private long provingBytes;
    private long provenBytes;

    /**
     * The peer is sent something that it does not answer.
     */
    void sent()
    {
        unproven = true;
    }

    /**
     * The peer is sent a READ.
     *
     * @param read       its number.
     * @param bytesSoFar of all that was sent before it.
     */
    void asked(final long read, final long bytesSoFar)
    {
        unproven = false;
        if (provingRead == NONE)
        {
            provingRead = read;
            provingBytes = bytesSoFar;
        }
    }

    /**
     * The peer has answered a READ.
     *
     * @param read its number.
     */
    void answered(final long read)
    {
        if (read == provingRead)
        {
            provingRead = NONE;
            provenBytes = provingBytes;
        }
    }

    /**
     * The peer has given a sign.
     */
    void end()
    {
        broken = true;
    }

    /**
     * @return whether the peer has given a sign since {@link #pass} was called.
     */
    boolean hasEnded()
    {
        return broken;
    }

    /**
     * @return for how long there was no sign when {@link #pass} was called last, in nanoseconds.
     */
    long passedNs()
    {
        return passedNs;
    }

    /**
     * Counts time.
     *
     * @param timeNs     that has passed since the last call.
     * @param waiting    whether READs are not answered, or something waits to be sent.
     * @param limitNs    that the attributes leave the peer.
     * @param bytesSoFar of all that was sent.
     * @return {@link #WAIT}, {@link #ASK} or {@link #OVER}.
     */
    int pass(final long timeNs, final boolean waiting, final long limitNs, final long bytesSoFar)
    {
        // A silence that began since the last call has no length yet.
        passedNs = owing && !broken ? passedNs + timeNs : 0;
        broken = false;
        owing = unproven || waiting;
        return passedNs - limitNs >= Math.min(bytesSoFar - provenBytes, MAX_BYTES) * BYTE_NS ? OVER :
            unproven && passedNs >= limitNs / ASK_FRACTION ? ASK : WAIT;
    }
}
