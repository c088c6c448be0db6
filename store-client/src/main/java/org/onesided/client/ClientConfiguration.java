package org.onesided.client;

import java.util.concurrent.Executor;
import org.onesided.client.types.ServerLifeListener;
import org.onesided.client.types.Waiting;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.HugePages;

/**
 * What a client was built with; see {@link StoreClientBuilder}.
 */
record ClientConfiguration(
    String server,
    byte[] token,
    TlsCredentials tls,
    String device,
    ConnectionOptions connection,
    long deadlineNs,
    int maxSessions,
    long mirrorBytes,
    HugePages hugePages,
    Waiting waiting,
    ServerLifeListener lifeListener,
    Executor executor)
{
    /** Without the token. */
    @Override
    public String toString()
    {
        return "ClientConfiguration[server=" + server + ", device=" + device + ']';
    }
}
