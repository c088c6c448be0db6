package org.onesided.client.session;

/**
 * The session's queue pairs or its life line failed. The session reconnects, or translates the exception before it
 * reaches a caller.
 */
public final class AttachmentLostException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param reason what was seen.
     */
    public AttachmentLostException(final String reason)
    {
        super(reason, null, false, false);
    }
}
