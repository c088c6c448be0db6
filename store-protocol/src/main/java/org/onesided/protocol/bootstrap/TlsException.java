package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.security.GeneralSecurityException;

/**
 * A TLS handshake failed, or later bytes were not authentic.
 */
public final class TlsException extends IOException
{
    private static final long serialVersionUID = 1L;

    /** The side that refused the other. */
    public enum Fault
    {
        /** The peer's certificate is missing, or this side does not trust it. */
        PEER_CERTIFICATE,
        /** The peer wants a certificate of this side, or another one. */
        OWN_CERTIFICATE,
        /** Anything else. */
        OTHER
    }

    /** The side that refused the other. */
    private final Fault fault;

    private TlsException(final Fault fault, final String message, final Throwable cause)
    {
        super(message, cause);
        this.fault = fault;
    }

    /**
     * @return which side refused the other.
     */
    public Fault fault()
    {
        return fault;
    }

    /** Derives the fault from an exception of Java's TLS. */
    static TlsException of(final IOException thrown)
    {
        Throwable cause = thrown;
        Fault fault = Fault.OTHER;
        for (Throwable each = thrown; each != null; each = each.getCause())
        {
            if (each instanceof GeneralSecurityException)
            {
                fault = Fault.PEER_CERTIFICATE;
                cause = each;
            }
        }
        final String text = String.valueOf(cause.getMessage());
        if (text.contains("Received fatal alert"))
        {
            fault = text.contains("certificate") || text.contains("unknown_ca") || text.contains("access_denied") ?
                Fault.OWN_CERTIFICATE : Fault.OTHER;
        }
        else if (text.contains("Empty client certificate chain"))
        {
            fault = Fault.PEER_CERTIFICATE;
        }
        return new TlsException(fault, OneLine.of(text).strip(), thrown);
    }
}
