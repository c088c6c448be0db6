package org.onesided.verbs.tcp;

import java.util.function.Consumer;
import org.onesided.verbs.AsyncEvent;

/**
 * What all queue pairs of a context share.
 *
 * @param progress     looks after sockets.
 * @param attendance   says who looks after active connections.
 * @param silences     has all connections looked at now and then.
 * @param stagingPool  of the memory that connections send and receive with.
 * @param counters     of what went wrong.
 * @param port         where the device listens, or 0.
 * @param readyToClaim is called when a queue pair may take the connection of a peer that waits for it.
 * @param events       tells whoever waits for events.
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
