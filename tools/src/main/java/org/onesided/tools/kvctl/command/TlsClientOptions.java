package org.onesided.tools.kvctl.command;

import java.nio.file.Path;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.tools.kvctl.console.Surroundings;
import picocli.CommandLine.Option;

/**
 * Whether to connect within TLS, and whom to trust then. Given before the command or after it, as {@link ClientOptions}
 * are.
 */
public final class TlsClientOptions
{
    /** Of these options in a command's help. */
    static final String HEADING = "%nTLS options:%n";

    @Option(
        names = "--tls",
        description = "Connect within TLS 1.3, as the other options for it do, too; also if KVCTL_TLS is set.")
    private boolean isOn;

    @Option(
        names = "--tls-ca",
        paramLabel = "FILE",
        description = "Certificates of the authorities that are trusted, PEM; else KVCTL_TLS_CA, else those that " +
            "Java trusts.")
    private Path authorities;

    @Option(
        names = "--tls-certificate",
        paramLabel = "FILE",
        description = "Certificate to show the server, PEM; else KVCTL_TLS_CERTIFICATE, else none.")
    private Path certificate;

    @Option(
        names = "--tls-key",
        paramLabel = "FILE",
        description = "Key of that certificate, PEM without a password; else KVCTL_TLS_KEY, else none.")
    private Path key;

    /**
     * Whether any of these options was given.
     *
     * @return whether one was.
     */
    public boolean isGiven()
    {
        return isOn || authorities != null || certificate != null || key != null;
    }

    /**
     * @param outer        given before the command.
     * @param surroundings whose variables come last.
     * @return what to connect with, or null to do so in the clear.
     * @throws IllegalArgumentException if a certificate is given without its key, or the other way round.
     */
    TlsOptions over(final TlsClientOptions outer, final Surroundings surroundings)
    {
        final boolean isWanted = isGiven() || outer.isGiven() || surroundings.variable(Variables.of("--tls")) != null;
        return isWanted ? new TlsOptions(certificate, key, authorities) : null;
    }
}
