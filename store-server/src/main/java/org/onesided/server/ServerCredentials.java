package org.onesided.server;

import java.io.IOException;
import org.onesided.protocol.bootstrap.TlsCheck;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.raft.peers.MemberCertificate;
import org.onesided.server.raft.peers.PeerTls;
import org.onesided.server.session.Credentials;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the tokens that clients must present, and the certificates that the server presents to clients and members.
 */
final class ServerCredentials
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerCredentials.class);

    private ServerCredentials()
    {
    }

    /**
     * @throws ServerException          if a file for TLS cannot be read.
     * @throws IllegalArgumentException if one holds what is no good.
     */
    static Credentials read(final ServerOptionValues options)
    {
        // A server that begins anew, as members of a cluster do, goes on with the tokens of now.
        final Tokens tokens = options.tokens() == null ? null : options.tokens().newest();
        return new Credentials(tokens, options.tls() == null ? null : read(options.tls(), TlsCheck.NONE));
    }

    /**
     * How members of a cluster know each other.
     *
     * @param peerAddress where the others connect to this one.
     * @return null if the options say nothing of that.
     * @throws ServerException          if a file cannot be read.
     * @throws IllegalArgumentException if one holds what is no good, or what the other members would refuse.
     */
    static PeerTls readPeers(final ServerOptionValues options, final String peerAddress)
    {
        return !options.peers().isTls() ? null : new PeerTls(
            read(options.peers().tls(), new MemberCertificate(ServerAddress.parse(peerAddress).getHostString())));
    }

    private static TlsCredentials read(final TlsOptions files, final TlsCheck check)
    {
        try
        {
            return new TlsCredentials(
                files,
                check,
                (what) -> LOGGER.info("TLS files have changed, new connections use them: {}", what),
                (why) -> LOGGER.warn("changed TLS files are unusable, the former ones stay in use: cause={}", why));
        }
        catch (final IOException e)
        {
            throw new ServerException("cannot read the files for TLS: " + e.getMessage(), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("cannot take the files for TLS: " + e.getMessage(), e);
        }
    }
}
