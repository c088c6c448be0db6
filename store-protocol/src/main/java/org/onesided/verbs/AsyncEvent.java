package org.onesided.verbs;

/**
 * An asynchronous event (ibv_get_async_event(3)).
 *
 * @param type   what happened.
 * @param number of the queue pair, or of the port; 0 where the event concerns another object.
 */
public record AsyncEvent(Type type, int number)
{
    /** What happened. */
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
        /** The last receive of a failed queue pair on a shared receive queue was consumed. */
        QP_LAST_WQE_REACHED,
        /** A port came up. */
        PORT_ACTIVE,
        /** A port went down. */
        PORT_ERR,
        /** A shared receive queue failed. */
        SRQ_ERR,
        /** The device failed. */
        DEVICE_FATAL
    }
}
