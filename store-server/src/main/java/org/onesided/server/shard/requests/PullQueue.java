package org.onesided.server.shard.requests;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.onesided.server.memory.LocalKeys;
import org.onesided.server.queue.SendQueue;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Pull;

/**
 * A queue pair's pulls. Values are pulled one after the other, each in pieces, with a bounded number of READs
 * outstanding.
 */
public final class PullQueue
{
    private final SendQueue sends;
    private final int pieceLength;
    private final long limit;
    private final LocalKeys keys;
    /** Pulls that are not answered yet. */
    private final List<Pull> active = new ArrayList<>();
    /** Pulls with READs to post. */
    private final ArrayDeque<Pull> unposted = new ArrayDeque<>();
    /** Outstanding READs in order of completion. */
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    /** Free objects. */
    private final ArrayDeque<Piece> idlePieces = new ArrayDeque<>();
    private final ShardCounters counters;
    private long activeBytes;

    /**
     * @param sends    of the queue pair.
     * @param geometry of the shard's sessions.
     * @param keys     lkeys of the table's memory, at the queue pair's device.
     * @param counters of the shard.
     */
    public PullQueue(
        final SendQueue sends, final SessionGeometry geometry, final LocalKeys keys, final ShardCounters counters)
    {
        this.counters = counters;
        this.sends = sends;
        this.keys = keys;
        pieceLength = geometry.pieceLength();
        limit = geometry.pullLimit();
    }

    boolean isEmpty()
    {
        return active.isEmpty();
    }

    /** Whether all values are in the hands of the log, so that nothing of the queue pair is needed any more. */
    boolean isLogged()
    {
        for (int i = 0; i < active.size(); i++)
        {
            if (!active.get(i).isLogged())
            {
                return false;
            }
        }
        return true;
    }

    boolean hasRoomFor(final long length)
    {
        return active.isEmpty() || activeBytes + length <= limit;
    }

    /** Whether a request for the key must wait, so that the session's requests take effect in their order. */
    boolean concerns(final long keyHash)
    {
        for (int i = 0; i < active.size(); i++)
        {
            if (active.get(i).keyHash() == keyHash)
            {
                return true;
            }
        }
        return false;
    }

    Pull of(final long requestId)
    {
        for (int i = 0; i < active.size(); i++)
        {
            if (active.get(i).requestId() == requestId)
            {
                return active.get(i);
            }
        }
        return null;
    }

    List<Pull> active()
    {
        return active;
    }

    void add(final Pull pull)
    {
        active.add(pull);
        activeBytes += pull.length();
        counters.add(ShardCounters.PULLS, 1);
        counters.add(ShardCounters.PULL_BYTES, pull.length());
        if (!pull.isPosted())
        {
            unposted.add(pull);
        }
    }

    void remove(final Pull pull)
    {
        if (active.remove(pull))
        {
            activeBytes -= pull.length();
            counters.add(ShardCounters.PULLS, -1);
            counters.add(ShardCounters.PULL_BYTES, -pull.length());
        }
    }

    /** Posts as many READs as may be outstanding. */
    void post()
    {
        while (!unposted.isEmpty() && sends.canRead())
        {
            final Pull pull = unposted.peek();
            final long address = pull.localAddress() + pull.posted();
            final int length = pull.nextPiece((int)Math.min(pieceLength, keys.reach(address)));
            sends.read(
                address, length, keys.key(address),
                pull.remoteAddress() + pull.posted(), pull.remoteKey());
            final Piece idle = idlePieces.poll();
            pieces.add((idle == null ? new Piece() : idle).begin(pull, length, sends.lastPosted()));
            pull.onPosted(length);
            if (pull.isPosted())
            {
                unposted.remove();
            }
        }
    }

    boolean isRead(final long number)
    {
        return !pieces.isEmpty() && pieces.peek().number == number;
    }

    /** The pull to which the oldest READ belongs, or null. */
    Pull oldest()
    {
        return pieces.isEmpty() ? null : pieces.peek().pull;
    }

    /** Records the completion of the oldest READ. */
    Pull onReadCompleted()
    {
        final Piece piece = pieces.remove();
        final Pull pull = piece.pull;
        pull.onArrived(piece.length);
        piece.pull = null;
        idlePieces.add(piece);
        return pull;
    }

    private static final class Piece
    {
        private Pull pull;
        private int length;
        private long number;

        Piece begin(final Pull ofPull, final int pieceLength, final long requestNumber)
        {
            pull = ofPull;
            length = pieceLength;
            number = requestNumber;
            return this;
        }
    }
}
