package org.onesided.verbs.tcp;

import java.util.function.Consumer;
import org.onesided.verbs.AsyncEvent;

/**
 * The parts that all queue pairs of a context share.
 *
 * @param progress     serves sockets.
 * @param attendance   decides which thread serves active connections.
 * @param silences     checks all connections now and then.
 * @param stagingPool  memory that connections send and receive with.
 * @param counters     of faults.
 * @param port         that the device listens on, or 0.
 * @param readyToClaim called when a queue pair may take the connection of a waiting peer.
 * @param events       raises asynchronous events.
 */
record SharedParts(
    Progress progress,
    Attendance attendance,
    Silences silences,
    StagingPool stagingPool,
    Counters counters,
    int port,
    Runnable readyToClaim,
    Consumer<AsyncEvent> events)
{
}
