package org.onesided.verbs;

/**
 * Flags of a send work request, with libibverbs' values (ibv_post_send(3)).
 */
public final class SendFlags
{
    /** Starts only after all READs and atomics posted before it have completed. */
    public static final int FENCE = 1;

    /** Asks for a completion on success; failures always complete. */
    public static final int SIGNALED = 1 << 1;

    /** Wakes a peer that waits for solicited completions only. For SENDs and for WRITE with immediate. */
    public static final int SOLICITED = 1 << 2;

    /** The payload is copied while posting: its memory needs no lkey and may be reused at once. */
    public static final int INLINE = 1 << 3;

    private SendFlags()
    {
    }
}
