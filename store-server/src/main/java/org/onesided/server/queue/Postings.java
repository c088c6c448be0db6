package org.onesided.server.queue;

import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.ReceiveRequest;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendRequest;
import org.onesided.verbs.SendRequests;

/**
 * The receives and sends that a queue pair is about to post, as two chains. Both are posted, each with one call, when
 * the chain is long enough, when another queue pair posts, and at the end of the shard's poll. The receives are posted
 * first, because an answer gives the client its credit back.
 */
public final class Postings implements AutoCloseable
{
    /** Half the usual credits, so that the client processes some answers while the shard makes the others. */
    private static final int CHAIN_LENGTH = 8;

    private final SendRequests sends = new SendRequests(CHAIN_LENGTH, 1);
    private final ReceiveRequests receives = new ReceiveRequests(CHAIN_LENGTH, 1);
    /** Inline data of the sends. */
    private final NativeArray copies = new NativeArray(CHAIN_LENGTH * SessionGeometry.MAX_INLINE);
    private QueuePairLife owner;
    private int sendCount;
    private int receiveCount;

    /**
     * With nothing to post yet.
     */
    public Postings()
    {
    }

    /**
     * @param life of a queue pair.
     * @return the next send of its chain.
     */
    SendRequest send(final QueuePairLife life)
    {
        prepare(life, sendCount);
        return sends.at(sendCount++);
    }

    /** Copies inline data for the next {@link #send}; returns its address, which is valid until the post. */
    long copy(final QueuePairLife life, final long address, final int length)
    {
        prepare(life, sendCount);
        final long copy = copies.range().addressOf((long)sendCount * SessionGeometry.MAX_INLINE, length);
        UnsafeApi.copyMemory(address, copy, length);
        return copy;
    }

    /**
     * @param life of a queue pair.
     * @return the next receive of its chain.
     */
    public ReceiveRequest receive(final QueuePairLife life)
    {
        prepare(life, receiveCount);
        return receives.at(receiveCount++);
    }

    /**
     * Posts all staged requests, unless the queue pair ends.
     */
    public void flush()
    {
        final QueuePairLife life = owner;
        if (life == null)
        {
            return;
        }
        final int receivesToPost = receiveCount;
        final int sendsToPost = sendCount;
        owner = null;
        receiveCount = 0;
        sendCount = 0;
        if (life.isEnding())
        {
            return;
        }
        int error = receivesToPost == 0 ? 0 : receives.post(life.queuePair(), receivesToPost);
        if (error == 0 && sendsToPost > 0)
        {
            error = sends.post(life.queuePair(), sendsToPost);
        }
        if (error != 0)
        {
            life.lose("answer or READ could not be posted: errno=" + error);
        }
    }

    private void prepare(final QueuePairLife life, final int count)
    {
        if (owner != life || count == CHAIN_LENGTH)
        {
            flush();
            owner = life;
        }
    }

    @Override
    public void close()
    {
        sends.close();
        receives.close();
        copies.close();
    }
}
