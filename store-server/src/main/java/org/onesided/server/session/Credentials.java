package org.onesided.server.session;

import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
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
    /** The organizational unit, in the subject of a certificate, whose members may look up only. */
    static final String READ_ONLY = "read-only";

    private static final String UNIT = "OU";

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

    /**
     * Whether a client may look up only: if its token or its certificate says so.
     *
     * @param owner              of the token that it has shown, or null for none.
     * @param certificateSubject of the certificate that it has shown, or null for none.
     * @return whether it may not write. A subject that cannot be understood gives no right to write.
     */
    static boolean isReader(final Tokens.Owner owner, final String certificateSubject)
    {
        return owner != null && owner.isReader() || certificateSubject != null && isReader(certificateSubject);
    }

    private static boolean isReader(final String subject)
    {
        try
        {
            for (final Rdn part : new LdapName(subject).getRdns())
            {
                // A part may have several attributes, as in OU=read-only+CN=reports.
                final Attribute unit = part.toAttributes().get(UNIT);
                for (int i = 0; unit != null && i < unit.size(); i++)
                {
                    if (!(unit.get(i) instanceof String text) || READ_ONLY.equalsIgnoreCase(text.strip()))
                    {
                        return true;
                    }
                }
            }
            return false;
        }
        catch (final NamingException e)
        {
            return true;
        }
    }
}
