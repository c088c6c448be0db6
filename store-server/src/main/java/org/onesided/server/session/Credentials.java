package org.onesided.server.session;

import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.bootstrap.Tokens;

/**
 * What clients must show, and how the server shows who it is.
 *
 * @param tokens of which clients must have one, or null for none.
 * @param tls    that the bootstrap is carried within, or null if it travels in the clear.
 */
public record Credentials(Tokens tokens, TlsCredentials tls)
{
    /**
     * Who a client is.
     *
     * @param tokenName          name of the token it has shown, or null for none.
     * @param certificateSubject of the certificate it has shown, or null for none.
     * @return the token's name, unless that is what all clients have, else the certificate's subject, else that it is
     *         anonymous.
     */
    static String identity(final String tokenName, final String certificateSubject)
    {
        if (certificateSubject != null && (tokenName == null || tokenName.equals(Tokens.UNNAMED)))
        {
            return certificateSubject;
        }
        return tokenName == null ? Tokens.ANONYMOUS : tokenName;
    }
}
