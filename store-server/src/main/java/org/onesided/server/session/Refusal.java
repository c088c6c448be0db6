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
    /** Its token is missing or wrong. */
    CREDENTIALS(RefusalCode.CREDENTIALS),
    /** One side speaks TLS and the other does not, or they did not agree. */
    TLS(RefusalCode.TLS),
    /** The server does not offer its device. */
    DEVICE(RefusalCode.DEVICE),
    /** It took too long. */
    HANDSHAKE_TIMEOUT(RefusalCode.CAPACITY),
    /** Others came after it, too many at a time. */
    HANDSHAKES(RefusalCode.CAPACITY),
    /** Others came after it, too many at a time from its address. */
    HANDSHAKES_PER_ADDRESS(RefusalCode.CAPACITY),
    /** There are as many sessions as there may be. */
    SESSIONS(RefusalCode.CAPACITY),
    /** There are as many from its address as there may be. */
    SESSIONS_PER_ADDRESS(RefusalCode.CAPACITY),
    /** There are as many of its identity as there may be. */
    SESSIONS_PER_IDENTITY(RefusalCode.CAPACITY),
    /** The device has no room for its queue pairs. */
    DEVICE_FULL(RefusalCode.CAPACITY),
    /** A message was malformed or out of order. */
    PROTOCOL(RefusalCode.PROTOCOL),
    /** The server is about to stop. */
    SHUTTING_DOWN(RefusalCode.SHUTTING_DOWN),
    /** Its queue pairs could not be connected, or the server failed. */
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

    /** For metrics. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
