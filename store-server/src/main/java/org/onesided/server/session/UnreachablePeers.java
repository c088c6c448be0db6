package org.onesided.server.session;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.VerbsException;

/**
 * Remembers briefly which GIDs were unreachable. A device needs long to detect that, and clients retry at once, with
 * each of their sessions. Thread-safe.
 */
final class UnreachablePeers
{
    private static final long MEMORY_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int MAX_REMEMBERED = 256;

    private record Failure(VerbsException cause, long atNs)
    {
    }

    private final Map<Gid, Failure> failures = new ConcurrentHashMap<>();

    /**
     * @param peers to be connected now, at least one.
     * @param nowNs the time.
     * @throws VerbsException what was thrown just before, if there was no way to them.
     */
    void check(final List<Endpoint> peers, final long nowNs)
    {
        final Gid gid = common(peers);
        final Failure failure = gid == null ? null : failures.get(gid);
        if (failure != null && nowNs - failure.atNs < MEMORY_NS)
        {
            throw failure.cause;
        }
    }

    /**
     * @param peers that could not be connected, at least one.
     * @param cause why.
     * @param nowNs the time.
     */
    void failed(final List<Endpoint> peers, final VerbsException cause, final long nowNs)
    {
        if (cause.errno() == Errno.ETIMEDOUT || cause.errno() == Errno.EHOSTUNREACH ||
            cause.errno() == Errno.ENETUNREACH)
        {
            failures.values().removeIf((failure) -> nowNs - failure.atNs >= MEMORY_NS);
            final Gid gid = common(peers);
            if (gid != null && failures.size() < MAX_REMEMBERED)
            {
                failures.put(gid, new Failure(cause, nowNs));
            }
        }
    }

    /** The GID that all share; null if they differ, because then the failed one is unknown. */
    private static Gid common(final List<Endpoint> peers)
    {
        final Gid gid = peers.get(0).gid();
        return peers.stream().allMatch((peer) -> Objects.equals(peer.gid(), gid)) ? gid : null;
    }
}
