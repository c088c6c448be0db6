package org.onesided.client.bootstrap;

import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreReadOnlyException;

/**
 * An attempt to attach failed. The client tries again, or translates the exception before it reaches a caller.
 */
public final class AttachFailedException extends Exception
{
    private static final long serialVersionUID = 1L;

    /** Whether it is worth another attempt. */
    public enum Kind
    {
        /** Another attempt may succeed later. */
        TRANSIENT,
        /** The server has no room now; other clients may leave soon. */
        BUSY,
        /** The peer, perhaps a server, closed the connection during the handshake. */
        CLOSED,
        /** The device cannot reach the server's; another device may. */
        NO_WAY,
        /** Waiting does not help. */
        PERMANENT,
        /** The server has another device. */
        DEVICE,
        /** The server makes no backup, or could not make one. */
        BACKUP,
        /** Something else answers at an address of a member of a cluster, which may be lost; another one may serve. */
        STRANGER,
        /** The server is a member of a cluster, and another one may serve the partition, or this one soon. */
        NOT_LEADING,
        /** The token was refused. */
        CREDENTIALS,
        /** The token or certificate allows lookups only, and the client wanted more. */
        READ_ONLY,
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
        return kind == Kind.PERMANENT || kind == Kind.DEVICE || kind == Kind.CREDENTIALS ||
            kind == Kind.READ_ONLY;
    }

    /**
     * Of an attempt where a member of a cluster should be: what answers there in its place ends nothing, as another
     * member may serve.
     *
     * @param server that was tried.
     * @return this failure, or one that names the server and is not final.
     */
    public AttachFailedException ofMember(final HostAndPort server)
    {
        return isFinal() ? new AttachFailedException(
            Kind.STRANGER, "no member of the cluster answers at " + server + ": " + getMessage(), this) : this;
    }

    /**
     * @return whether the server is a member of a cluster; only that does not serve what it was asked for.
     */
    public boolean isOfMember()
    {
        return kind == Kind.NOT_LEADING;
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
        return switch (kind)
        {
            case CREDENTIALS -> new StoreAccessException(getMessage(), context, this);
            case READ_ONLY -> new StoreReadOnlyException(getMessage(), context, this);
            default -> new StoreConnectException(getMessage(), context, this);
        };
    }
}
