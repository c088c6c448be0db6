package org.onesided.server;

import java.net.InetSocketAddress;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.ZoneName;
import org.onesided.server.data.DataOptions;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.log.SyncMode;

/**
 * Rules for a server's options, checked before it starts: the range of each number, and relations between options.
 */
final class ServerOptionRules
{
    /** The next code means no limit. */
    private static final int MAX_RNR_RETRY = 6;

    private ServerOptionRules()
    {
    }

    /**
     * @throws IllegalArgumentException naming the first rule that is broken.
     */
    static void check(final ServerOptionValues options)
    {
        for (final ServerSetting setting : ServerSetting.values())
        {
            setting.check(options.numbers().get(setting));
        }
        if (options.numbers().isGiven(ServerSetting.MEMORY_INITIAL) && options.memoryInitial() > options.memory())
        {
            throw new IllegalArgumentException("the memory from the start must not be more than all memory, give " +
                "less or raise that (kvctl: --memory-initial and --memory): memoryInitial=" +
                options.memoryInitial() + " memory=" + options.memory());
        }
        // A listener would hear nothing, and does no harm.
        if (!options.data().isStored() &&
            !options.data().equals(DataOptions.NONE.onReadBack(options.data().onReadBack())))
        {
            throw new IllegalArgumentException("a table in memory only is not synced, written to snapshots or cut: " +
                "name its directory (kvctl: --data), or leave out sync, snapshotLog and discardTail (kvctl: --sync, " +
                "--snapshot-log, --discard-tail)");
        }
        checkPeerTls(options);
        checkZone(options);
        if (options.peers().listen() != null)
        {
            checkMember(options);
        }
        final int rnrRetry = options.connection().rnrRetry();
        if (rnrRetry > MAX_RNR_RETRY)
        {
            throw new IllegalArgumentException("a server must not wait for ever for a client that has no receive " +
                "posted, take 0 to " + MAX_RNR_RETRY + ": rnrRetry=" + rnrRetry);
        }
        final TlsOptions tls = options.tls();
        if (tls != null && tls.certificate() == null)
        {
            throw new IllegalArgumentException("a server needs a certificate and its key for TLS, also to ask " +
                "clients for theirs, give them (kvctl: --tls-certificate and --tls-key): authorities=" +
                tls.authorities());
        }
        checkMessages(options.shards(), options.credits(), options.messageLength());
    }

    /** What a member of a cluster needs, so that the others can count on it. */
    private static void checkMember(final ServerOptionValues options)
    {
        final InetSocketAddress peer = ServerAddress.parse(options.peers().listen());
        if (!options.data().isStored() || options.data().sync() != SyncMode.ALWAYS)
        {
            throw new IllegalArgumentException("a member of a cluster keeps its table on disk and syncs always, give " +
                "it a directory and no other mode (kvctl: --data and --sync): peerListen=" + options.peers().listen());
        }
        if (options.evict() != Eviction.NONE)
        {
            throw new IllegalArgumentException("a member of a cluster evicts nothing yet, leave out evict (kvctl: " +
                "--evict): evict=" + options.evict().label() + " peerListen=" +
                options.peers().listen());
        }
        if (peer.getPort() == 0 || options.listenPort() == 0)
        {
            throw new IllegalArgumentException("a member of a cluster stays where the cluster was formed, name its " +
                "ports (kvctl: --listen and --peer-listen): listenPort=" + options.listenPort() + " peerListen=" +
                options.peers().listen());
        }
        PeerAddress.check(options.peers().listen(), options.peers().isTls());
    }

    private static void checkZone(final ServerOptionValues options)
    {
        final String zone = options.peers().zone();
        if (zone != null && !ZoneName.isValid(zone))
        {
            throw new IllegalArgumentException("a zone has " + ZoneName.RULE + " (kvctl: --zone): zone=" +
                OneLine.of(zone));
        }
        if (zone != null && !options.data().isStored())
        {
            throw new IllegalArgumentException("only a member of a cluster is in a zone, leave it out or name the " +
                "directory (kvctl: --zone, --data): zone=" + zone);
        }
    }

    private static void checkPeerTls(final ServerOptionValues options)
    {
        final TlsOptions tls = options.peers().tls();
        if (tls != null && (tls.certificate() == null || tls.authorities() == null))
        {
            throw new IllegalArgumentException("members know each other by a certificate, its key and its authority, " +
                "give all three (kvctl: --tls-peer-ca, with --tls-peer-certificate and --tls-peer-key, or " +
                "--tls-certificate and --tls-key): certificate=" + tls.certificate() + " authorities=" +
                tls.authorities());
        }
        if (tls != null && !options.data().isStored())
        {
            throw new IllegalArgumentException("only a member of a cluster has to do with other members, leave their " +
                "authority out or name the directory (kvctl: --tls-peer-ca, --data): authorities=" +
                tls.authorities());
        }
    }

    private static void checkMessages(final int shards, final int credits, final int messageLength)
    {
        if (messageLength % ServerOptions.MESSAGE_ALIGNMENT != 0)
        {
            throw new IllegalArgumentException("messageLength must be a multiple of " +
                ServerOptions.MESSAGE_ALIGNMENT + ": messageLength=" + messageLength);
        }
        if ((long)shards * credits * messageLength > Bootstrap.MAX_REQUESTS_LENGTH)
        {
            throw new IllegalArgumentException("a client would refuse to hold so many requests, take fewer credits, " +
                "shorter messages or fewer shards: shards=" + shards + " credits=" + credits + " messageLength=" +
                messageLength + " most=" + Bootstrap.MAX_REQUESTS_LENGTH);
        }
    }
}
