package org.onesided.tools.kvctl.server;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.settings.SettingSource;

/**
 * The server's certificate, and the credentials that clients must show besides the one shared secret.
 */
final class ServerCredentials
{
    private ServerCredentials()
    {
    }

    /** To be called after {@link ServerOptions#token}. */
    static void apply(final SettingSource settings, final ServerOptions options)
    {
        final Path tokensFile = settings.value(ServerSettingList.TOKENS_FILE);
        if (tokensFile != null)
        {
            if (options.tokens() != null)
            {
                throw new CommandException(ExitCode.USAGE, "there is a secret for all and a file with several, give " +
                    "one of --token-file (or KVCTL_TOKEN) and --tokens-file: tokens-file=" + tokensFile);
            }
            options.tokens(tokens(tokensFile));
        }
        final TlsOptions tls = tls(settings);
        if (!tls.equals(TlsOptions.DEFAULT))
        {
            options.tls(tls);
        }
        options.peers(options.peers().tls(peerTls(settings, tls)));
    }

    /** Null for none. The certificate for clients will do for members, but not the authority of clients. */
    private static TlsOptions peerTls(final SettingSource settings, final TlsOptions tls)
    {
        final Path certificate = settings.value(ServerSettingList.TLS_PEER_CERTIFICATE);
        final Path key = settings.value(ServerSettingList.TLS_PEER_KEY);
        final Path authorities = settings.value(ServerSettingList.TLS_PEER_CA);
        if ((certificate == null) != (key == null))
        {
            throw new CommandException(ExitCode.USAGE, "give both or none of --tls-peer-certificate and " +
                "--tls-peer-key: tls-peer-certificate=" + certificate + " tls-peer-key=" + key);
        }
        if (authorities == null && certificate != null)
        {
            throw new CommandException(ExitCode.USAGE, "members are asked for certificates, too, give the authority " +
                "of theirs with --tls-peer-ca: tls-peer-certificate=" + certificate);
        }
        return authorities == null ? null :
            (certificate == null ? tls : tls.certificate(certificate, key)).authorities(authorities);
    }

    private static TlsOptions tls(final SettingSource settings)
    {
        try
        {
            return new TlsOptions(
                settings.value(ServerSettingList.TLS_CERTIFICATE),
                settings.value(ServerSettingList.TLS_KEY),
                settings.value(ServerSettingList.TLS_CLIENT_CA));
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    private static Tokens tokens(final Path file)
    {
        try
        {
            return Tokens.load(file);
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotRead("the tokens file " + file, e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }
}
