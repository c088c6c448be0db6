package org.onesided.server;

/**
 * Ends a server that cannot go on as it is. Thread-safe.
 */
interface ServerEnd
{
    /**
     * A part of it has failed.
     *
     * @param cause of that.
     */
    void fail(Error cause);

    /**
     * It is to be started again.
     *
     * @param reason for the log.
     */
    void beginAnew(String reason);

    /**
     * It is to be started again, once other members lead what it leads.
     *
     * @param reason for the log.
     */
    void beginAnewInOrder(String reason);
}
