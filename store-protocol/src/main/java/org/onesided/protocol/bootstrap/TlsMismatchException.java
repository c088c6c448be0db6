package org.onesided.protocol.bootstrap;

import java.net.ProtocolException;

/**
 * One side speaks TLS, and the other does not.
 */
public final class TlsMismatchException extends ProtocolException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message which side does.
     */
    public TlsMismatchException(final String message)
    {
        super(message);
    }
}
