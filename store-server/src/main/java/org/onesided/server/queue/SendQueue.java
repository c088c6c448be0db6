package org.onesided.server.queue;

import org.agrona.UnsafeApi;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.SendFlags;

/**
 * Posts a queue pair's sends and tracks its slots and buffers. Sends are numbered in order. A completion frees all
 * slots and buffers up to its number, since a reliable connection completes in order.
 */
public final class SendQueue
{
    /** Stands for no request. */
    public static final long NONE = -1;
    private static final int NO_BUFFER = -1;

    private final QueuePairLife life;
    private final Postings postings;
    private final MemoryRange buffers;
    private final int localKey;
    private final int tag;
    private final int messageLength;
    private final int maxInline;
    private final int slots;
    private final int reads;
    private final int signalEvery;
    private final int[] bufferOfSlot;
    private final int[] freeBuffers;
    private int freeCount;
    private int readsOutstanding;
    private int unsignaled;
    private long posted;
    private long completed;

    /**
     * @param life     of the queue pair.
     * @param postings where requests are chained.
     * @param geometry of the shard's sessions.
     * @param buffers  for answers that do not go inline.
     * @param localKey of the buffers.
     * @param tag      of the queue pair.
     */
    public SendQueue(
        final QueuePairLife life,
        final Postings postings,
        final SessionGeometry geometry,
        final MemoryRange buffers,
        final int localKey,
        final int tag)
    {
        this.tag = tag;
        this.life = life;
        this.postings = postings;
        this.buffers = buffers;
        this.localKey = localKey;
        messageLength = geometry.messageLength();
        maxInline = life.queuePair().initAttributes().maxInline();
        slots = geometry.sendSlots();
        reads = geometry.reads();
        signalEvery = Math.max(1, geometry.credits() / 2);
        bufferOfSlot = new int[slots];
        freeBuffers = new int[geometry.answerBuffers()];
        for (int i = 0; i < freeBuffers.length; i++)
        {
            freeBuffers[freeCount++] = i;
        }
    }

    /**
     * @return whether any answer can be sent now, with the slots for READs left alone.
     */
    public boolean canAnswer()
    {
        return freeCount > 0 && posted - completed + reads - readsOutstanding < slots;
    }

    /**
     * @return whether another READ may be outstanding.
     */
    public boolean canRead()
    {
        return readsOutstanding < reads;
    }

    /**
     * @return address of the buffer that {@link #sendBuffer} will send.
     */
    public long buffer()
    {
        return buffers.addressOf((long)freeBuffers[freeCount - 1] * messageLength, messageLength);
    }

    /**
     * Sends bytes that may be used again at once.
     *
     * @param address of the bytes.
     * @param length  how many there are.
     */
    public void sendCopy(final long address, final int length)
    {
        if (length > maxInline)
        {
            UnsafeApi.copyMemory(address, buffer(), length);
            sendBuffer(length);
        }
        else
        {
            send(postings.copy(life, address, length), length, SendFlags.INLINE, NO_BUFFER);
        }
    }

    /**
     * Sends what was written to {@link #buffer}.
     *
     * @param length in bytes.
     */
    public void sendBuffer(final int length)
    {
        final long address = buffer();
        final int buffer = freeBuffers[--freeCount];
        send(address, length, SendFlags.SIGNALED, buffer);
    }

    /**
     * READs from the peer's memory.
     *
     * @param to            where the bytes go.
     * @param length        in bytes.
     * @param toKey         lkey of that memory.
     * @param remoteAddress where they are.
     * @param remoteKey     rkey of that memory.
     */
    public void read(final long to, final int length, final int toKey, final long remoteAddress, final int remoteKey)
    {
        postings.send(life).begin(WorkRequestId.ofSend(tag, posted), Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(to, length, toKey)
            .remote(remoteAddress, remoteKey);
        onPosted(NO_BUFFER);
        unsignaled = 0;
        readsOutstanding++;
    }

    /**
     * @return number of the request made last.
     */
    public long lastPosted()
    {
        return posted - 1;
    }

    /**
     * @param id of a work request.
     * @return number of the request with that id, or {@link #NONE} if no such one is outstanding.
     */
    public long numberOf(final long id)
    {
        final long ahead = WorkRequestId.distance(completed, id);
        return ahead < posted - completed ? completed + ahead : NONE;
    }

    /**
     * Frees the slots and buffers of all requests up to one.
     *
     * @param number of that request.
     * @param isRead whether it is a READ.
     */
    public void onCompletion(final long number, final boolean isRead)
    {
        for (; completed <= number; completed++)
        {
            final int buffer = bufferOfSlot[(int)(completed % slots)];
            if (buffer != NO_BUFFER)
            {
                freeBuffers[freeCount++] = buffer;
            }
        }
        if (isRead)
        {
            readsOutstanding--;
        }
    }

    private void send(final long address, final int length, final int flags, final int buffer)
    {
        final int signal = unsignaled + 1 >= signalEvery ? SendFlags.SIGNALED : 0;
        postings.send(life)
            .begin(WorkRequestId.ofSend(tag, posted), Opcode.SEND, flags | signal)
            .element(address, length, localKey);
        onPosted(buffer);
        unsignaled = ((flags | signal) & SendFlags.SIGNALED) != 0 ? 0 : unsignaled + 1;
    }

    private void onPosted(final int buffer)
    {
        bufferOfSlot[(int)(posted % slots)] = buffer;
        posted++;
    }
}
