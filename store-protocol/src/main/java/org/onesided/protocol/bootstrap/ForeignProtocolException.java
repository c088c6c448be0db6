package org.onesided.protocol.bootstrap;

import java.net.ProtocolException;

/**
 * The peer speaks another protocol, which is known by its first bytes.
 */
public final class ForeignProtocolException extends ProtocolException
{
    private static final long serialVersionUID = 1L;

    /** Name of the protocol. */
    private final String protocol;

    /**
     * @param protocol that the peer speaks.
     */
    public ForeignProtocolException(final String protocol)
    {
        super("peer speaks " + protocol);
        this.protocol = protocol;
    }

    /**
     * @return the name of the protocol, such as {@code HTTP}.
     */
    public String protocol()
    {
        return protocol;
    }
}
