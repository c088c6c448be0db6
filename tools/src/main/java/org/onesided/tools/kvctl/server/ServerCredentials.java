package org.onesided.tools.kvctl.server;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.TokenFiles;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.settings.SettingSource;
import org.onesided.tools.settings.Variables;

/**
 * The server's certificate, and the credentials that clients must show and the secret of the metrics.
 */
final class ServerCredentials
{
    private ServerCredentials()
    {
    }

    static void apply(final ServerSettings settings, final Surroundings surroundings, final ServerOptions options)
    {
        options.tokens(tokens(settings, surroundings));
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

    /** Null for none. */
    private static Tokens tokens(final ServerSettings settings, final Surroundings surroundings)
    {
        final Path tokenFile = settings.tokenFile();
        final Path tokensFile = settings.value(ServerSettingList.TOKENS_FILE);
        final Path readersFile = settings.value(ServerSettingList.READ_TOKENS_FILE);
        final boolean isSecret = tokenFile != null || surroundings.variable(Variables.TOKEN) != null;
        if (isSecret && tokensFile != null)
        {
            throw new CommandException(ExitCode.USAGE, "there is a secret for all and a file with several, take one " +
                "of them away: " + origin(tokenFile, surroundings) + " tokens-file=" + tokensFile);
        }
        if (!isSecret && tokensFile == null && readersFile != null)
        {
            throw new CommandException(ExitCode.USAGE, "nobody could write, name the secrets of those who may, too, " +
                "with --token-file (or KVCTL_TOKEN_FILE or KVCTL_TOKEN) or --tokens-file: read-tokens-file=" +
                readersFile);
        }
        // Says what is wrong with the secret of all in the words that clients use.
        final Token secret = ClientOptions.token(tokenFile, surroundings);
        return secret == null && tokensFile == null ? null :
            load(tokenFile == null ? secret : null, tokenFile, tokensFile, readersFile);
    }

    /** Where the secret of all comes from: a variable may stay from elsewhere, and nobody thinks of it. */
    private static String origin(final Path tokenFile, final Surroundings surroundings)
    {
        final String variable = Variables.of("--token-file");
        return tokenFile == null ? "variable=" + Variables.TOKEN :
            tokenFile.toString().equals(surroundings.variable(variable)) ? "variable=" + variable + " token-file=" +
                tokenFile : "token-file=" + tokenFile;
    }

    /** The secret that the metrics ask for, or null. */
    static Tokens ofMetrics(final ServerSettings settings)
    {
        final Path file = settings.value(ServerSettingList.METRICS_TOKEN_FILE);
        if (file == null)
        {
            return null;
        }
        if (settings.value(ServerSettingList.METRICS) == null)
        {
            throw new CommandException(ExitCode.USAGE, "there are no metrics to ask a secret for, give --metrics: " +
                "metrics-token-file=" + file);
        }
        return load(null, file, null, null);
    }

    private static Tokens load(
        final Token secret, final Path tokenFile, final Path tokensFile, final Path readersFile)
    {
        try
        {
            return TokenFiles.load(secret, tokenFile, tokensFile, readersFile);
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "cannot read the tokens: " + e.getMessage(), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }
}
