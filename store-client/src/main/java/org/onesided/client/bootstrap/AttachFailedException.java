package org.onesided.client.bootstrap;

import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreException;

/**
 * No attachment could be had this time; translated, or answered by trying again, before it reaches a caller.
 */
public final class AttachFailedException extends Exception
{
    private static final long serialVersionUID = 1L;

    /** Whether it is worth another attempt. */
    public enum Kind
    {
        /** It may work later. */
        TRANSIENT,
        /** The server is there and has no room now; others may make some soon. */
        BUSY,
        /** What listens there, which may be a server, closed the connection before the handshake was over. */
        CLOSED,
        /** The device finds no way to the server's, or not now; another device may. */
        NO_WAY,
        /** It will not work by waiting. */
        PERMANENT,
        /** The server has another device. */
        DEVICE,
        /** The token was refused. */
        CREDENTIALS,
        /** The calling thread was interrupted. */
        INTERRUPTED
    }

    /** Whether it is worth another attempt. */
    private final Kind kind;

    /**
     * @param kind    whether another attempt is worth it.
     * @param message what happened.
     * @param cause   or null.
     */
    public AttachFailedException(final Kind kind, final String message, final Throwable cause)
    {
        super(message, cause);
        this.kind = kind;
    }

    /**
     * @return whether another attempt is worth it.
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * @return whether it will not work by waiting.
     */
    public boolean isFinal()
    {
        return kind == Kind.PERMANENT || kind == Kind.DEVICE || kind == Kind.CREDENTIALS;
    }

    /**
     * @return whether it might work over another device.
     */
    public boolean isOfDevice()
    {
        return kind == Kind.DEVICE || kind == Kind.NO_WAY;
    }

    /**
     * @param context what the operation was about.
     * @return the exception for the caller.
     */
    public StoreException toStoreException(final FailureContext context)
    {
        return kind == Kind.CREDENTIALS ?
            new StoreAccessException(getMessage(), context, this) :
            new StoreConnectException(getMessage(), context, this);
    }
}
