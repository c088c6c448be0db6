package org.onesided.tools.kvctl.server;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import picocli.CommandLine.Option;

/**
 * How a server shows who it is, and what clients must show, besides the one secret that both have.
 */
final class ServerCredentialOptions
{
    @Option(
        names = "--tokens-file",
        paramLabel = "FILE",
        description = "File with several secrets in place of one, each as a line NAME:SECRET, of which clients must " +
            "show one; default none.")
    private Path tokensFile;

    @Option(
        names = "--tls-certificate",
        paramLabel = "FILE",
        description = "Certificate to show clients, PEM, those that lead to its authority behind it: clients connect " +
            "within TLS 1.3 then, and not otherwise; default none.")
    private Path certificate;

    @Option(
        names = "--tls-key",
        paramLabel = "FILE",
        description = "Key of that certificate, PEM without a password; default none.")
    private Path key;

    @Option(
        names = "--tls-client-ca",
        paramLabel = "FILE",
        description = "Certificates of the authorities, PEM, of one of which clients must show a certificate; " +
            "default none.")
    private Path authorities;

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
