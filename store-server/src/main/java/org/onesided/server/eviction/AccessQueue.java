package org.onesided.server.eviction;

import static org.agrona.BitUtil.CACHE_LINE_LENGTH;

import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.onesided.protocol.bootstrap.AccessWord;

/**
 * Sampled lookups on their way from the acceptor's thread to a shard's. A full queue drops what is added: no shard
 * takes harm from what it does not learn. Neither side allocates.
 */
public final class AccessQueue
{
    /** Lookups that the shard takes at a time: some 10 microseconds, as each may cost a cache miss. */
    static final int CHUNK = 64;

    private static final int CAPACITY = 256 << 10;
    private static final int CHUNK_LENGTH = CHUNK * AccessWord.LENGTH;

    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH, CACHE_LINE_LENGTH)));
    private final AccessListener listener;
    private final MessageHandler handler = this::onChunk;

    /**
     * @param listener called by {@link #take}.
     */
    public AccessQueue(final AccessListener listener)
    {
        this.listener = listener;
    }

    /**
     * Adds sampled lookups. For one thread.
     *
     * @param words    holds their {@link AccessWord}s.
     * @param offset   of the first.
     * @param length   of all in bytes; a rest that is no whole word is left out.
     * @param sampling each stands for so many; at least 1.
     * @return how many were dropped, as the shard does not keep up.
     */
    public int add(final DirectBuffer words, final int offset, final int length, final int sampling)
    {
        final int whole = length - length % AccessWord.LENGTH;
        int done = 0;
        while (done < whole)
        {
            final int next = Math.min(whole - done, CHUNK_LENGTH);
            // The message type carries the sampling.
            if (!ring.write(sampling, words, offset + done, next))
            {
                return (whole - done) / AccessWord.LENGTH;
            }
            done += next;
        }
        return 0;
    }

    /**
     * @return whether so much waits that the shard should not sleep on.
     */
    public boolean isUrgent()
    {
        return ring.size() > CAPACITY / 2;
    }

    /**
     * Tells the listener of the next lookups, a bounded number. For the shard's thread.
     *
     * @return whether there were some.
     */
    public boolean take()
    {
        return ring.read(handler, 1) > 0;
    }

    private void onChunk(final int sampling, final MutableDirectBuffer buffer, final int index, final int length)
    {
        for (int at = index; at < index + length; at += AccessWord.LENGTH)
        {
            final long word = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
            listener.onAccess(AccessWord.key(word), AccessWord.isFound(word), AccessWord.isDrawn(word), sampling);
        }
    }
}
