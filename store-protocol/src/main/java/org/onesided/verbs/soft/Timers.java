package org.onesided.verbs.soft;

/**
 * The InfiniBand specification's codes for times.
 */
public final class Timers
{
    /** No time limit. */
    public static final long FOR_EVER_NS = Long.MAX_VALUE;

    private static final int[] RNR_TIMER_10_US =
    {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private Timers()
    {
    }

    /**
     * @param code 0 to 31; higher bits are ignored.
     * @return how long a sender waits after a "receiver not ready", in nanoseconds.
     */
    public static long rnrTimerNs(final int code)
    {
        return RNR_TIMER_10_US[code & 31] * 10_000L;
    }

    /**
     * @param code       acknowledgement timeout, 0 to 31.
     * @param retryCount retries, 0 to 7.
     * @return how long a peer may leave a request unanswered, in nanoseconds.
     */
    public static long answerNs(final int code, final int retryCount)
    {
        return code == 0 ? FOR_EVER_NS : (4096L << code) * (retryCount + 1);
    }

    /**
     * @param startNs    of the wait, as {@link System#nanoTime} tells.
     * @param durationNs of the wait.
     * @return when it ends.
     */
    static long after(final long startNs, final long durationNs)
    {
        return startNs + Math.min(durationNs, Long.MAX_VALUE / 2);
    }
}
