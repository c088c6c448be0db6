package org.onesided.iwarp;

/**
 * What came is not what the RFCs say.
 */
final class ProtocolException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    ProtocolException(final String message)
    {
        super(message);
    }
}
