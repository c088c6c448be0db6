package org.onesided.server.shard;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A large value on its way from a client's memory into an extent. The object is reused after the publication.
 */
final class Pull
{
    long requestId;
    long keyHash;
    long extent;
    long localAddress;
    long remoteAddress;
    int remoteKey;
    int length;
    /** To hold when the value is published. */
    final Condition condition = new Condition();
    /** What the put makes of its key's time then. */
    int expiryKind;
    long expiry;
    /** The request, if it is logged: its receive may be gone when the value is whole. */
    UnsafeBuffer message;
    /** Bytes of the value that were proposed to the log. */
    int proposed;
    /** Whether it is the log's turn, which needs no queue pair. */
    boolean isLogged;
    /** Whether the value is in memory of its own at {@link #localAddress}, and has no extent. */
    boolean isAside;
    private int posted;
    private int arrived;
    /** Receives that hold the request: the first, and one for each resend. */
    private int[] waiters = new int[1];
    private int waiterCount;

    Pull begin(
        final long ofRequest,
        final long hash,
        final long intoExtent,
        final long toAddress,
        final long fromAddress,
        final int fromKey,
        final int valueLength)
    {
        requestId = ofRequest;
        keyHash = hash;
        extent = intoExtent;
        localAddress = toAddress;
        remoteAddress = fromAddress;
        remoteKey = fromKey;
        length = valueLength;
        message = null;
        proposed = 0;
        isLogged = false;
        isAside = false;
        posted = 0;
        arrived = 0;
        waiterCount = 0;
        return this;
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
