package org.onesided.server.shard.execution;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A large value on its way from a client's memory into an extent. The object is reused after the publication. Belongs
 * to the shard's thread.
 */
public final class Pull
{
    private final Condition condition = new Condition();
    private long requestId;
    private long keyHash;
    private long extent;
    private long localAddress;
    private long remoteAddress;
    private int remoteKey;
    private int length;
    private int expiryKind;
    private long expiry;
    private UnsafeBuffer message;
    private int proposed;
    private boolean isLogged;
    private boolean isAside;
    private int posted;
    private int arrived;
    /** Receives that hold the request: the first, and one for each resend. */
    private int[] waiters = new int[1];
    private int waiterCount;

    /**
     * Begins anew.
     *
     * @param request    a put of a large value.
     * @param intoExtent that was reserved for it.
     * @param toAddress  raw address of the value's place in the extent.
     * @return this.
     */
    public Pull begin(final Request request, final long intoExtent, final long toAddress)
    {
        final RequestBlock block = request.block();
        requestId = request.requestId();
        keyHash = request.keyHash();
        extent = intoExtent;
        localAddress = toAddress;
        remoteAddress = block.remoteAddress();
        remoteKey = block.remoteKey();
        length = (int)block.largeValueLength();
        block.condition(condition);
        expiryKind = block.expiryKind();
        expiry = block.expiry();
        message = null;
        proposed = 0;
        isLogged = false;
        isAside = false;
        posted = 0;
        arrived = 0;
        waiterCount = 0;
        return this;
    }

    /**
     * Keeps a copy of the request for the log: its receive may be gone when the value is whole.
     *
     * @param original message of the request.
     */
    public void keepMessage(final DirectBuffer original)
    {
        message = new UnsafeBuffer(new byte[original.capacity()]);
        message.putBytes(0, original, 0, original.capacity());
    }

    /**
     * @return the copy of the request; null if there is none.
     */
    public DirectBuffer message()
    {
        return message;
    }

    /**
     * @return number of the request in its session.
     */
    public long requestId()
    {
        return requestId;
    }

    /**
     * @return hash of the key.
     */
    public long keyHash()
    {
        return keyHash;
    }

    /**
     * @return where the record will be; of no use once the value is {@linkplain #isAside aside}.
     */
    public long extent()
    {
        return extent;
    }

    /**
     * @return raw address of the value's place.
     */
    public long localAddress()
    {
        return localAddress;
    }

    /**
     * @return address of the value in the client's memory.
     */
    public long remoteAddress()
    {
        return remoteAddress;
    }

    /**
     * @return rkey of the value in the client's memory.
     */
    public int remoteKey()
    {
        return remoteKey;
    }

    /**
     * @return length of the value in bytes.
     */
    public int length()
    {
        return length;
    }

    /** To hold when the value is published. */
    Condition condition()
    {
        return condition;
    }

    /** What the put makes of its key's time then. */
    int expiryKind()
    {
        return expiryKind;
    }

    /** The time that belongs to the kind, or 0. */
    long expiry()
    {
        return expiry;
    }

    /**
     * Lets another receive that holds the request wait for the answer.
     *
     * @param receive index of the receive.
     */
    public void addWaiter(final int receive)
    {
        if (waiterCount == waiters.length)
        {
            waiters = Arrays.copyOf(waiters, 2 * waiterCount);
        }
        waiters[waiterCount++] = receive;
    }

    /**
     * @return how many receives hold the request.
     */
    public int waiterCount()
    {
        return waiterCount;
    }

    /**
     * @param index of the waiting receive, from 0.
     * @return the receive.
     */
    public int waiter(final int index)
    {
        return waiters[index];
    }

    /**
     * @return for how many bytes READs are posted.
     */
    public int posted()
    {
        return posted;
    }

    /**
     * @param pieceLength of a READ, at most.
     * @return length of the next READ.
     */
    public int nextPiece(final int pieceLength)
    {
        return Math.min(pieceLength, length - posted);
    }

    /**
     * A READ is posted.
     *
     * @param piece its length.
     */
    public void onPosted(final int piece)
    {
        posted += piece;
    }

    /**
     * A READ has completed.
     *
     * @param piece its length.
     */
    public void onArrived(final int piece)
    {
        arrived += piece;
    }

    /**
     * @return whether READs are posted for all of the value.
     */
    public boolean isPosted()
    {
        return posted == length;
    }

    /**
     * @return whether all of the value is in its place.
     */
    public boolean isWhole()
    {
        return arrived == length;
    }

    /** From here on it is the log's turn, which needs no queue pair. */
    public void onLogging()
    {
        isLogged = true;
    }

    /**
     * @return whether it is the log's turn.
     */
    public boolean isLogged()
    {
        return isLogged;
    }

    /**
     * A piece of the value is proposed to the log.
     *
     * @param piece its length.
     */
    public void onProposed(final int piece)
    {
        proposed += piece;
    }

    /**
     * @return how many bytes of the value were proposed to the log.
     */
    public int proposed()
    {
        return proposed;
    }

    /**
     * The value has given up its place in the heap.
     *
     * @param address raw address of memory of its own, which has a copy.
     */
    public void onSetAside(final long address)
    {
        localAddress = address;
        isAside = true;
    }

    /** The memory of its own is freed. */
    public void onAsideFreed()
    {
        isAside = false;
    }

    /**
     * @return whether the value is in memory of its own at {@link #localAddress}, and has no extent.
     */
    public boolean isAside()
    {
        return isAside;
    }
}
