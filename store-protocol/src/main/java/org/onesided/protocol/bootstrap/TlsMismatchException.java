package org.onesided.protocol.bootstrap;

import java.net.ProtocolException;

/**
 * One side speaks TLS, and the other does not.
 */
public final class TlsMismatchException extends ProtocolException
{
    private static final long serialVersionUID = 1L;

    /** The side that speaks TLS. */
    private final boolean isPeerWithin;

    /**
     * @param isPeerWithin whether it is the peer that speaks TLS.
     * @param message      what the peer speaks, in one line.
     */
    public TlsMismatchException(final boolean isPeerWithin, final String message)
    {
        super(message);
        this.isPeerWithin = isPeerWithin;
    }

    /**
     * @return whether it is the peer that speaks TLS, and not this side.
     */
    public boolean isPeerWithin()
    {
        return isPeerWithin;
    }
}
