package org.onesided.verbs.tcp;

/**
 * Attachment of a socket's key: called by the progress thread when the socket is ready.
 */
interface Handler
{
    /**
     * The socket is ready for what the key waits for.
     */
    void ready();

    /**
     * Something unforeseen went wrong with the socket, which is closed for it after that.
     */
    void failed();
}
