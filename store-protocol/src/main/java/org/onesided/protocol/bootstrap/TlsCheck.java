package org.onesided.protocol.bootstrap;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/**
 * What a side's own certificate must fulfil besides that it is valid now and fits its key. Asked each time that the
 * files were read, with what they hold together.
 */
@FunctionalInterface
public interface TlsCheck
{
    /** No further rule. */
    TlsCheck NONE = (chain, trusted) -> { };

    /**
     * Checks the files' contents.
     *
     * @param chain   of this side: its certificate, and those that lead to its authority; null without one.
     * @param trusted decides whether a certificate is trusted; null if the files name no authorities.
     * @throws GeneralSecurityException if they are no good; its message is one line that needs not name the file.
     */
    void check(X509Certificate[] chain, X509TrustManager trusted) throws GeneralSecurityException;
}
