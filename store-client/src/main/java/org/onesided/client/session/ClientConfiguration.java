package org.onesided.client.session;

import java.util.concurrent.Executor;
import org.onesided.client.types.ServerLifeListener;
import org.onesided.client.types.Waiting;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.HugePages;

/**
 * What a client was built with; its builder tells more of each.
 *
 * @param server       address of the server.
 * @param token        that the server asks for, empty for none.
 * @param tls          credentials, or null for a connection without TLS.
 * @param device       by name, or several of them.
 * @param connection   of the queue pairs.
 * @param deadlineNs   nanoseconds that an operation may take.
 * @param maxSessions  of the pool.
 * @param mirrorBytes  of memory for the mirror.
 * @param hugePages    whether memory is in huge pages.
 * @param waiting      how threads wait for completions.
 * @param lifeListener hears of new lives of the server.
 * @param executor     completes futures, or null for a thread of the client.
 */
public record ClientConfiguration(
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
    /**
     * For one of several clients that share the memory for mirrors.
     *
     * @param count how many they are.
     * @return the same settings with that part of the memory.
     */
    public ClientConfiguration part(final int count)
    {
        return new ClientConfiguration(server, token, tls, device, connection, deadlineNs, maxSessions,
            mirrorBytes / count, hugePages, waiting, lifeListener, executor);
    }

    /** Without the token. */
    @Override
    public String toString()
    {
        return "ClientConfiguration[server=" + server + ", device=" + device + ']';
    }
}
