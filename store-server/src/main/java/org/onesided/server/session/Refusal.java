package org.onesided.server.session;

import java.util.Locale;
import org.onesided.protocol.bootstrap.codec.RefusalCode;

/**
 * Why a handshake came to nothing, or a connection was ended for what came over it.
 */
public enum Refusal
{
    /** The client speaks another version. */
    VERSION(RefusalCode.VERSION),
    /** The client's token is missing or wrong. */
    CREDENTIALS(RefusalCode.CREDENTIALS),
    /** The client's token or certificate allows lookups only, and it wants a backup or to form a cluster. */
    READ_ONLY(RefusalCode.READ_ONLY),
    /** One side speaks TLS and the other does not, or they did not agree. */
    TLS(RefusalCode.TLS),
    /** The server does not offer the client's device. */
    DEVICE(RefusalCode.DEVICE),
    /** The handshake took too long. */
    HANDSHAKE_TIMEOUT(RefusalCode.CAPACITY),
    /** The handshake gave way to later ones, because the limit was reached. */
    HANDSHAKES(RefusalCode.CAPACITY),
    /** The handshake gave way to later ones from its address, because that limit was reached. */
    HANDSHAKES_PER_ADDRESS(RefusalCode.CAPACITY),
    /** The limit of sessions is reached. */
    SESSIONS(RefusalCode.CAPACITY),
    /** The limit of sessions per address is reached. */
    SESSIONS_PER_ADDRESS(RefusalCode.CAPACITY),
    /** The limit of sessions per identity is reached. */
    SESSIONS_PER_IDENTITY(RefusalCode.CAPACITY),
    /** The device has no room for its queue pairs. */
    DEVICE_FULL(RefusalCode.CAPACITY),
    /** The server makes no backup, or could not make it. */
    BACKUP(RefusalCode.BACKUP),
    /** Another client takes a backup. */
    BACKUP_BUSY(RefusalCode.CAPACITY),
    /** The server waits to be formed, or it does not and a client wants to form it. */
    BLANK(RefusalCode.BLANK),
    /** Other clients are about to form the server. */
    FORMING_BUSY(RefusalCode.CAPACITY),
    /** A message was malformed or out of order. */
    PROTOCOL(RefusalCode.PROTOCOL),
    /** The server does not serve the shard now, or is a member of a cluster and the client does not know that. */
    NOT_LEADING(RefusalCode.NOT_LEADING),
    /** The server is about to stop. */
    SHUTTING_DOWN(RefusalCode.SHUTTING_DOWN),
    /** The client's queue pairs could not be connected, or the server failed. */
    INTERNAL(RefusalCode.INTERNAL);

    private final RefusalCode code;

    Refusal(final RefusalCode code)
    {
        this.code = code;
    }

    /** Text for the client. */
    RefusalCode code()
    {
        return code;
    }

    /** Name of the reason in metrics. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
