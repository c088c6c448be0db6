package org.onesided.tools.kvctl.server;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;

/**
 * How a server shows who it is, and what clients must show, besides the one secret that both have.
 */
final class ServerCredentials
{
    private final Path tokensFile;
    private final Path certificate;
    private final Path key;
    private final Path authorities;

    ServerCredentials(final ServerOptionList options)
    {
        tokensFile = options.tokensFile.value();
        certificate = options.certificate.value();
        key = options.key.value();
        authorities = options.authorities.value();
    }

    /** To be called once {@link ServerOptions#token} was. */
    void applyTo(final ServerOptions options)
    {
        if (tokensFile != null)
        {
            if (options.tokens() != null)
            {
                throw new CommandException(ExitCode.USAGE, "there is a secret for all and a file with several, give " +
                    "one of --token-file (or KVCTL_TOKEN) and --tokens-file: tokens-file=" + tokensFile);
            }
            options.tokens(tokens());
        }
        if (certificate != null || key != null || authorities != null)
        {
            options.tls(tls());
        }
    }

    private TlsOptions tls()
    {
        try
        {
            return new TlsOptions(certificate, key, authorities);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    private Tokens tokens()
    {
        try
        {
            return Tokens.load(tokensFile);
        }
        catch (final IOException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "cannot read the tokens file " + tokensFile + ": " + FileMessages.reason(e), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }
}
