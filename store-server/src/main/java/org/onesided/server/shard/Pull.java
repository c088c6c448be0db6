package org.onesided.server.shard;

import java.util.Arrays;

/**
 * A large value on its way from a client's memory into an extent.
 */
final class Pull
{
    final long requestId;
    final long keyHash;
    final long extent;
    final long localAddress;
    final long remoteAddress;
    final int remoteKey;
    final int length;
    private int posted;
    private int arrived;
    /** Receives that hold the request: once, or again for each time it was resent. */
    private int[] waiters = new int[1];
    private int waiterCount;

    Pull(
        final long requestId,
        final long keyHash,
        final long extent,
        final long localAddress,
        final long remoteAddress,
        final int remoteKey,
        final int length)
    {
        this.requestId = requestId;
        this.keyHash = keyHash;
        this.extent = extent;
        this.localAddress = localAddress;
        this.remoteAddress = remoteAddress;
        this.remoteKey = remoteKey;
        this.length = length;
    }

    void addWaiter(final int receive)
    {
        if (waiterCount == waiters.length)
        {
            waiters = Arrays.copyOf(waiters, 2 * waiterCount);
        }
        waiters[waiterCount++] = receive;
    }

    int waiterCount()
    {
        return waiterCount;
    }

    int waiter(final int index)
    {
        return waiters[index];
    }

    int posted()
    {
        return posted;
    }

    int nextPiece(final int pieceLength)
    {
        return Math.min(pieceLength, length - posted);
    }

    void onPosted(final int piece)
    {
        posted += piece;
    }

    void onArrived(final int piece)
    {
        arrived += piece;
    }

    boolean isPosted()
    {
        return posted == length;
    }

    boolean isWhole()
    {
        return arrived == length;
    }
}
