package org.onesided.client;

/**
 * No session could be had: nobody listens there, or what listens is no onesided server of this version, or it has no
 * room, or the device cannot be used.
 */
public final class StoreConnectException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreConnectException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreConnectException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
