package org.onesided.client.request;

import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequest;
import org.onesided.verbs.SendRequests;

/**
 * Carries a session's requests and answers over one attachment: posts the staged slots, and keeps one receive per shard
 * for each request that may be outstanding. Not thread-safe.
 */
final class RequestChannel
{
    private final QueuePair[] queuePairs;
    private final CompletionLoop loop;
    private final RequestSlots slots;
    private final SendRequests send;
    private final ReceiveRequests receive;
    private final RegisteredBuffer[][] receiveSpaces;
    private final int messageLength;
    private final int maxInline;
    /** Slots of the chain that is being posted. */
    private final int[] chain;

    /**
     * @param queuePairs by shard; null where the session is for others.
     * @param slots     of the session.
     * @param send      one send request of one element for each credit.
     * @param receive   one receive of one element.
     * @param space     for the receives.
     * @param maxInline bytes that all queue pairs take inline.
     */
    RequestChannel(
        final QueuePair[] queuePairs,
        final CompletionLoop loop,
        final RequestSlots slots,
        final SendRequests send,
        final ReceiveRequests receive,
        final RegisteredBuffer space,
        final int maxInline)
    {
        this.queuePairs = queuePairs;
        this.loop = loop;
        this.slots = slots;
        this.send = send;
        this.receive = receive;
        this.maxInline = maxInline;
        final int credits = slots.credits();
        messageLength = slots.messages().messageLength();
        chain = new int[credits];
        receiveSpaces = new RegisteredBuffer[queuePairs.length][];
        long offset = 0;
        for (int shard = slots.served().first(); shard < slots.served().end(); shard++)
        {
            receiveSpaces[shard] = new RegisteredBuffer[credits];
            for (int i = 0; i < credits; i++)
            {
                receiveSpaces[shard][i] = space.slice(offset, messageLength);
                offset += MessageSpace.stride(messageLength);
            }
        }
    }

    /** Bytes needed for all receives. */
    static long spaceLength(final int shards, final int credits, final int messageLength)
    {
        return MessageSpace.length(shards, credits, messageLength);
    }

    /** Whether there is such a receive. */
    boolean hasReceive(final int shard, final int index)
    {
        return slots.served().contains(shard) && index >= 0 && index < receiveSpaces[shard].length;
    }

    RegisteredBuffer receiveSpace(final int shard, final int index)
    {
        return receiveSpaces[shard][index];
    }

    /** Posts a shard's staged requests that need not wait, with one doorbell. */
    void post(final int shard)
    {
        int count = 0;
        final long last = slots.lastId(shard);
        for (long id = slots.firstUnposted(shard); id <= last; id++)
        {
            final int slot = slots.toPost(shard, id);
            if (slot != RequestSlots.NONE)
            {
                if (slots.isHeldBack(slot))
                {
                    break;
                }
                chain[count] = slot;
                fill(send.at(count), shard, id, slots.sends().posted(shard) + count, slot);
                count++;
            }
        }
        if (count > 0)
        {
            post(shard, count);
        }
    }

    private void fill(
        final SendRequest request, final int shard, final long id, final long number, final int slot)
    {
        final int length = slots.length(slot);
        final int flags = SendFlags.SOLICITED |
            (slots.sends().takeSignal(shard, id) ? SendFlags.SIGNALED : 0) |
            (length <= maxInline ? SendFlags.INLINE : 0);
        request
            .begin(CompletionLoop.sendId(shard, number), Opcode.SEND, flags)
            .element(slots.messages().address(slot), length, slots.messages().localKey());
    }

    private void post(final int shard, final int count)
    {
        final int errno = send.post(queuePairs[shard], count);
        final int refused = errno == 0 ? count : send.firstRefused();
        // If the device does not name the refused request, all may have been sent.
        final int posted = refused < 0 ? count : refused;
        for (int i = 0; i < posted; i++)
        {
            slots.posted(chain[i]);
        }
        if (errno != 0)
        {
            throw loop.lost("SEND cannot be posted: " + Errno.name(errno) + " shard=" + shard);
        }
    }

    void postReceives()
    {
        for (int shard = slots.served().first(); shard < slots.served().end(); shard++)
        {
            for (int i = 0; i < receiveSpaces[shard].length; i++)
            {
                postReceive(shard, i);
            }
        }
    }

    void postReceive(final int shard, final int index)
    {
        final RegisteredBuffer space = receiveSpaces[shard][index];
        receive.at(0)
            .begin(CompletionLoop.receiveId(shard, index))
            .element(space.range().address(), messageLength, space.localKey());
        final int errno = receive.post(queuePairs[shard], 1);
        if (errno != 0)
        {
            throw loop.lost("receive cannot be posted: " + Errno.name(errno) + " shard=" + shard);
        }
    }
}
