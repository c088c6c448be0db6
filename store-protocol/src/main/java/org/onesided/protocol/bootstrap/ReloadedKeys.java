package org.onesided.protocol.bootstrap;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Shows the certificate of the newest files in each handshake. A handshake first chooses a name, and then asks for the
 * chain and the key of that name: these are found although the files may have changed in between. Thread-safe.
 */
final class ReloadedKeys extends X509ExtendedKeyManager
{
    private final Supplier<TlsMaterial> newest;
    private X509ExtendedKeyManager current;
    private X509ExtendedKeyManager former;

    /**
     * @param newest reads the files again if they have changed.
     */
    ReloadedKeys(final Supplier<TlsMaterial> newest)
    {
        this.newest = newest;
        current = newest.get().keys();
        former = current;
    }

    private X509ExtendedKeyManager choose()
    {
        final X509ExtendedKeyManager keys = newest.get().keys();
        synchronized (this)
        {
            if (keys != current)
            {
                former = current;
                current = keys;
            }
        }
        return keys;
    }

    @Override
    public String[] getClientAliases(final String keyType, final Principal[] issuers)
    {
        return choose().getClientAliases(keyType, issuers);
    }

    @Override
    public String[] getServerAliases(final String keyType, final Principal[] issuers)
    {
        return choose().getServerAliases(keyType, issuers);
    }

    @Override
    public String chooseClientAlias(final String[] keyType, final Principal[] issuers, final Socket socket)
    {
        return choose().chooseClientAlias(keyType, issuers, socket);
    }

    @Override
    public String chooseServerAlias(final String keyType, final Principal[] issuers, final Socket socket)
    {
        return choose().chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public String chooseEngineClientAlias(final String[] keyType, final Principal[] issuers, final SSLEngine engine)
    {
        return choose().chooseEngineClientAlias(keyType, issuers, engine);
    }

    @Override
    public String chooseEngineServerAlias(final String keyType, final Principal[] issuers, final SSLEngine engine)
    {
        return choose().chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public synchronized X509Certificate[] getCertificateChain(final String alias)
    {
        final X509Certificate[] chain = current.getCertificateChain(alias);
        return chain == null ? former.getCertificateChain(alias) : chain;
    }

    @Override
    public synchronized PrivateKey getPrivateKey(final String alias)
    {
        final PrivateKey key = current.getPrivateKey(alias);
        return key == null ? former.getPrivateKey(alias) : key;
    }
}
