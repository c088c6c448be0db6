package org.onesided.server.raft;

/** What a log is doing. Only an open one takes proposals. */
enum LogState
{
    OPENING, OPEN, NO_ROOM, REOPENING, FOLLOWING, FAILED, CLOSED
}
