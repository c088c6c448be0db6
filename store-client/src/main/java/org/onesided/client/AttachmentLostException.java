package org.onesided.client;

/**
 * The session's queue pairs or its life line failed; translated, or answered by reconnecting, before it reaches a
 * caller.
 */
final class AttachmentLostException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    AttachmentLostException(final String reason)
    {
        super(reason, null, false, false);
    }
}
