package org.onesided.tools.kvctl.server;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.command.MemorySize;
import org.onesided.tools.kvctl.command.TimeSpan;

/**
 * The options that {@code kvctl server} alone has. Those that clients have, too, are declared in the command.
 */
final class ServerOptionList
{
    final ServerOption<Path> config = ServerOption.file(ServerSettings.CONFIG,
        "File of Java properties, which have the options' names; default none.");
    final ServerOption<Path> tokensFile = ServerOption.file("--tokens-file",
        "File with several secrets in place of one, each as a line NAME:SECRET, of which clients must show one; " +
            "default none.");
    final ServerOption<Path> certificate = ServerOption.file("--tls-certificate",
        "Certificate to show clients, PEM, those that lead to its authority behind it: clients connect within TLS " +
            "1.3 then, and not otherwise; default none.");
    final ServerOption<Path> key = ServerOption.file("--tls-key",
        "Key of that certificate, PEM without a password; default none.");
    final ServerOption<Path> authorities = ServerOption.file("--tls-client-ca",
        "Certificates of the authorities, PEM, of one of which clients must show a certificate; default none.");
    final ServerOption<ListenAddress> metrics = ServerOption.of("--metrics", "[HOST:]PORT", ListenAddress::parseLocal,
        "Where /metrics, for Prometheus, and /health are served over HTTP, to anybody who asks: on 127.0.0.1 unless " +
            "a host is named, port 0 for any free one; default none.");
    final ServerOption<LogFormat> logFormat = ServerOption.of("--log-format", "text|json", LogFormat::parse,
        "A line per event to read, or one of JSON; default text.");

    private final List<ServerOption<?>> others = List.of(
        ServerOption.of("--listen", "HOST:PORT", ListenAddress::parse,
            (options, address) -> options.listenHost(address.host()).listenPort(address.port()),
            "Where clients connect, port 0 for any free one; default 127.0.0.1:19875."),
        ServerOption.of("--memory", "SIZE", new MemorySize(), ServerOptions::memory,
            "Memory of the store, such as 512MiB or 2g; default 256MiB."),
        ServerOption.of("--huge-pages", "auto|on|off", Readers::hugePages, ServerOptions::hugePages,
            "Whether the store is in huge pages, of which 'kvctl rdma doctor' tells how to get some: where the " +
                "machine has some (auto), always (on), or never (off); default auto."),
        ServerOption.of("--record-size", "SIZE", new MemorySize(), ServerOptionList::recordSize,
            "Size of a usual key and value together, which divides the memory into index and records; default 128."),
        ServerOption.of("--shards", "N", Readers.whole(SuperblockDescriptor.MAX_SHARDS), ServerOptions::shards,
            "Parts of the store, each with a thread of its own for changes; default 1 per 4 processors."),
        ServerOption.of("--spin", "TIME", new SpinTime(), ServerOptions::spinNs,
            "How long an idle shard looks for requests before it sleeps, such as 50us: never, for the least " +
                "processor time, to always, for the least latency; default 50us."),
        ServerOption.of("--max-sessions", "N", Readers.whole(ServerOptions.MAX_SESSIONS), ServerOptions::maxSessions,
            "Sessions at a time, of which a client has up to maxSessions, by default 8; default 256."),
        ServerOption.of("--lease", "TIME", Readers::lease, (options, lease) -> options.leaseNs(lease.toNanos()),
            "A session from which nothing came for so long is ended; default 30s."),
        ServerOption.of("--max-handshakes", "N", Readers.whole(ServerOptions.MAX_SESSIONS),
            ServerOptions::maxHandshakes,
            "Clients that connect at a time; default 64."),
        ServerOption.of("--handshake-timeout", "TIME", new TimeSpan(),
            (options, timeout) -> options.handshakeTimeoutNs(timeout.toNanos()),
            "How long a client may take to connect; default 5s."),
        ServerOption.of("--max-sessions-per-address", "N", Readers.whole(ServerOptions.MAX_SESSIONS),
            ServerOptions::maxSessionsPerAddress,
            "Sessions at a time from one address, or one /64 of IPv6; default three quarters, all from loopback."),
        ServerOption.of("--max-sessions-per-identity", "N", Readers.whole(ServerOptions.MAX_SESSIONS),
            ServerOptions::maxSessionsPerIdentity,
            "Sessions at a time of one identity, a name of --tokens-file or a certificate's subject; default three " +
                "quarters, all where there is one identity."),
        ServerOption.of("--max-handshakes-per-address", "N", Readers.whole(ServerOptions.MAX_SESSIONS),
            ServerOptions::maxHandshakesPerAddress,
            "Clients that connect at a time from one address, or one /64 of IPv6; default half, all from loopback."),
        ServerOption.of("--credits", "N", Readers.whole(ServerOptions.MAX_CREDITS), ServerOptions::credits,
            "Requests that a session may have unanswered at a shard; default 16."),
        ServerOption.of("--message-size", "SIZE", Readers::messageLength, ServerOptions::messageLength,
            "Longest request or answer, a multiple of 64 bytes: larger values are pulled; default 8KiB."),
        ServerOption.of("--pull-limit", "SIZE", new MemorySize(), ServerOptions::pullLimit,
            "Bytes of large values that a session may have under way at a shard; default 64MiB."));

    Stream<ServerOption<?>> all()
    {
        return Stream.concat(
            Stream.of(config, tokensFile, certificate, key, authorities, metrics, logFormat), others.stream());
    }

    private static void recordSize(final ServerOptions options, final long size)
    {
        final int longest = Integer.MAX_VALUE - RecordDescriptor.HEADER_LENGTH;
        options.recordLength((int)Math.min(size, longest) + RecordDescriptor.HEADER_LENGTH);
    }
}
