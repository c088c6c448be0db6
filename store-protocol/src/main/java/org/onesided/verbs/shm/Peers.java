package org.onesided.verbs.shm;

import java.util.HashMap;
import java.util.Map;
import org.onesided.verbs.Gid;

/**
 * The contexts of connected peers. Each is watched while a queue pair is connected to it. Thread-safe.
 */
final class Peers
{
    private final LifeWatcher watcher;
    private final Map<Gid, Peer> peers = new HashMap<>();

    Peers(final LifeWatcher watcher)
    {
        this.watcher = watcher;
    }

    /**
     * Finds a peer's context and begins to watch it; {@link #leave} gives it back.
     */
    PeerContext join(final Gid gid, final int userId)
    {
        synchronized (peers)
        {
            Peer peer = peers.get(gid);
            if (peer == null)
            {
                peer = new Peer(watched(PeerContext.open(gid, userId, watcher::retire)));
                peers.put(gid, peer);
            }
            peer.uses++;
            return peer.context;
        }
    }

    void leave(final PeerContext context)
    {
        synchronized (peers)
        {
            final Peer peer = peers.get(context.gid());
            if (--peer.uses == 0)
            {
                peers.remove(context.gid());
                watcher.remove(context);
            }
        }
    }

    private PeerContext watched(final PeerContext peer)
    {
        boolean success = false;
        try
        {
            if (!peer.isGone())
            {
                watcher.add(peer);
            }
            success = true;
            return peer;
        }
        finally
        {
            if (!success)
            {
                peer.close();
            }
        }
    }

    /**
     * A peer's context and how many queue pairs use it.
     */
    private static final class Peer
    {
        private final PeerContext context;
        private int uses;

        Peer(final PeerContext context)
        {
            this.context = context;
        }
    }
}
