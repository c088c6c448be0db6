package org.onesided.verbs;

/**
 * An asynchronous event (ibv_get_async_event(3)).
 *
 * @param type            what happened.
 * @param number          of the queue pair, or of the port; 0 where the event concerns another object.
 * @param completionQueue that it concerns, or null.
 * @param reason          what the device knows of why, in one line that ends in its data; null if nothing.
 */
public record AsyncEvent(Type type, int number, CompletionQueue completionQueue, String reason)
{
    /**
     * An event without a reason.
     *
     * @param type            see there.
     * @param number          see there.
     * @param completionQueue see there.
     */
    public AsyncEvent(final Type type, final int number, final CompletionQueue completionQueue)
    {
        this(type, number, completionQueue, null);
    }

    /**
     * An event that concerns no completion queue.
     *
     * @param type   see there.
     * @param number see there.
     */
    public AsyncEvent(final Type type, final int number)
    {
        this(type, number, null, null);
    }

    /** What happened, in the order of {@code enum ibv_event_type}. */
    public enum Type
    {
        /** A completion queue overflowed and is broken. */
        CQ_ERR,
        /** A queue pair failed. */
        QP_FATAL,
        /** A queue pair refused an invalid request of its peer. */
        QP_REQ_ERR,
        /** A queue pair refused its peer's access to memory. */
        QP_ACCESS_ERR,
        /** A queue pair in RTR heard from its peer. */
        COMM_EST,
        /** The send queue of a queue pair is drained. */
        SQ_DRAINED,
        /** A connection went over to its alternate path. */
        PATH_MIG,
        /** A connection could not go over to its alternate path. */
        PATH_MIG_ERR,
        /** The device failed. */
        DEVICE_FATAL,
        /** A port came up. */
        PORT_ACTIVE,
        /** A port went down. */
        PORT_ERR,
        /** A port's LID changed. */
        LID_CHANGE,
        /** A port's P_Key table changed. */
        PKEY_CHANGE,
        /** A port's subnet manager changed. */
        SM_CHANGE,
        /** A shared receive queue failed. */
        SRQ_ERR,
        /** A shared receive queue has fewer receives than its limit. */
        SRQ_LIMIT_REACHED,
        /** The last receive of a failed queue pair on a shared receive queue was consumed. */
        QP_LAST_WQE_REACHED,
        /** The subnet manager of a port asks clients to register again. */
        CLIENT_REREGISTER,
        /** A port's GID table changed. */
        GID_CHANGE,
        /** A work queue failed. */
        WQ_FATAL,
        /** Beyond ibverbs: a connection to a listening software device failed before it had a queue pair. */
        PEER_REFUSED
    }
}
