package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_context}, as far as it is used here: behind that is a mutex, whose length differs by
 * architecture.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | device                                                                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | ops: 11 functions of other verbs (88 bytes)                                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | poll_cq                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | req_notify_cq                                                                 |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | 7 functions of other verbs (56 bytes)                                         |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | post_srq_recv                                                                 |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | 4 functions of other verbs (32 bytes)                                         |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | post_send                                                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | post_recv                                                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | 5 functions of other verbs (40 bytes)                                         |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | cmd_fd                                | async_fd                              |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | num_comp_vectors                      |
 *  +---------+---------+---------+---------+
 * </pre>
 */
final class ContextDescriptor
{
    /** Address of the {@code ibv_device}. */
    static final int DEVICE_OFFSET = 0;
    /** First of the functions; those that C calls inline are named below. */
    static final int OPS_OFFSET = DEVICE_OFFSET + Long.BYTES;
    /** Function of ibv_poll_cq(3). */
    static final int POLL_CQ_OFFSET = OPS_OFFSET + 11 * Long.BYTES;
    /** Function of ibv_req_notify_cq(3). */
    static final int REQ_NOTIFY_CQ_OFFSET = POLL_CQ_OFFSET + Long.BYTES;
    /** Function of ibv_post_srq_recv(3). */
    static final int POST_SRQ_RECV_OFFSET = REQ_NOTIFY_CQ_OFFSET + Long.BYTES + 7 * Long.BYTES;
    /** Function of ibv_post_send(3). */
    static final int POST_SEND_OFFSET = POST_SRQ_RECV_OFFSET + Long.BYTES + 4 * Long.BYTES;
    /** Function of ibv_post_recv(3). */
    static final int POST_RECV_OFFSET = POST_SEND_OFFSET + Long.BYTES;
    /** File descriptor of the device file. */
    static final int CMD_FD_OFFSET = POST_RECV_OFFSET + Long.BYTES + 5 * Long.BYTES;
    /** File descriptor of asynchronous events. */
    static final int ASYNC_FD_OFFSET = CMD_FD_OFFSET + Integer.BYTES;
    /** Completion vectors. */
    static final int NUM_COMP_VECTORS_OFFSET = ASYNC_FD_OFFSET + Integer.BYTES;

    private ContextDescriptor()
    {
    }
}
