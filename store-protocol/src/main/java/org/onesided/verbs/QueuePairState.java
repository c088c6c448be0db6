package org.onesided.verbs;

/**
 * States of a queue pair, in the order of {@code enum ibv_qp_state} (ibv_modify_qp(3)).
 */
public enum QueuePairState
{
    /** Just made, or reset: nothing may be posted. */
    RESET,
    /** Receives may be posted. */
    INIT,
    /** Ready to receive: answers its peer. */
    RTR,
    /** Ready to send. */
    RTS,
    /** Send queue drained; entered from RTS only, and not offered by the software devices. */
    SQD,
    /** Send queue error; unreliable services only. */
    SQE,
    /** Failed or shut down: all requests are flushed. */
    ERR
}
