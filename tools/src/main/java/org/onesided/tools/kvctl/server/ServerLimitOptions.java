package org.onesided.tools.kvctl.server;

import java.time.Duration;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.command.MemorySize;
import org.onesided.tools.kvctl.command.TimeSpan;
import picocli.CommandLine.Option;

/**
 * How much of everything a server takes on.
 */
final class ServerLimitOptions
{
    @Option(
        names = "--max-sessions",
        paramLabel = "N",
        converter = ServerLimits.Sessions.class,
        description = "Sessions at a time, of which a client has up to maxSessions, by default 8; default 256.")
    private Integer maxSessions;

    @Option(
        names = "--lease",
        paramLabel = "TIME",
        converter = ServerLimits.Lease.class,
        description = "A session from which nothing came for so long is ended; default 30s.")
    private Duration lease;

    @Option(
        names = "--max-handshakes",
        paramLabel = "N",
        converter = ServerLimits.Sessions.class,
        description = "Clients that connect at a time; default 64.")
    private Integer maxHandshakes;

    @Option(
        names = "--handshake-timeout",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "How long a client may take to connect; default 5s.")
    private Duration handshakeTimeout;

    @Option(
        names = "--max-sessions-per-address",
        paramLabel = "N",
        converter = ServerLimits.Sessions.class,
        description = "Sessions at a time from one address, or one /64 of IPv6; default three quarters, all from " +
            "loopback.")
    private Integer maxSessionsPerAddress;

    @Option(
        names = "--max-sessions-per-identity",
        paramLabel = "N",
        converter = ServerLimits.Sessions.class,
        description = "Sessions at a time of one identity, a name of --tokens-file or a certificate's subject; " +
            "default three quarters, all where there is one identity.")
    private Integer maxSessionsPerIdentity;

    @Option(
        names = "--max-handshakes-per-address",
        paramLabel = "N",
        converter = ServerLimits.Sessions.class,
        description = "Clients that connect at a time from one address, or one /64 of IPv6; default half, all from " +
            "loopback.")
    private Integer maxHandshakesPerAddress;

    @Option(
        names = "--credits",
        paramLabel = "N",
        converter = ServerLimits.Credits.class,
        description = "Requests that a session may have unanswered at a shard; default 16.")
    private Integer credits;

    @Option(
        names = "--message-size",
        paramLabel = "SIZE",
        converter = ServerLimits.MessageSize.class,
        description = "Longest request or answer, a multiple of 64 bytes: larger values are pulled; default 8KiB.")
    private Integer messageLength;

    @Option(
        names = "--pull-limit",
        paramLabel = "SIZE",
        converter = MemorySize.class,
        description = "Bytes of large values that a session may have under way at a shard; default 64MiB.")
    private Long pullLimit;

    void applyTo(final ServerOptions options)
    {
        if (maxSessions != null)
        {
            options.maxSessions(maxSessions);
        }
        if (lease != null)
        {
            options.leaseNs(lease.toNanos());
        }
        if (maxHandshakes != null)
        {
            options.maxHandshakes(maxHandshakes);
        }
        if (handshakeTimeout != null)
        {
            options.handshakeTimeoutNs(handshakeTimeout.toNanos());
        }
        if (maxSessionsPerAddress != null)
        {
            options.maxSessionsPerAddress(maxSessionsPerAddress);
        }
        if (maxSessionsPerIdentity != null)
        {
            options.maxSessionsPerIdentity(maxSessionsPerIdentity);
        }
        if (maxHandshakesPerAddress != null)
        {
            options.maxHandshakesPerAddress(maxHandshakesPerAddress);
        }
        if (credits != null)
        {
            options.credits(credits);
        }
        if (messageLength != null)
        {
            options.messageLength(messageLength);
        }
        if (pullLimit != null)
        {
            options.pullLimit(pullLimit);
        }
    }
}
