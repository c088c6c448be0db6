package org.onesided.client;

import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;

/**
 * Carries a session's requests and answers: one send buffer, and for each shard as many receives as the session may
 * have requests outstanding. Not thread-safe.
 */
final class RequestChannel
{
    private final QueuePair[] queuePairs;
    private final CompletionLoop loop;
    private final SendRequests send;
    private final ReceiveRequests receive;
    private final RegisteredBuffer requestSpace;
    private final RegisteredBuffer[][] receiveSpaces;
    private final int messageLength;

    /**
     * @param send          one send request of one element.
     * @param receive       one receive of one element.
     * @param space         for the request, then for the receives.
     * @param credits       receives per shard.
     * @param messageLength of the longest message in bytes.
     */
    RequestChannel(
        final QueuePair[] queuePairs,
        final CompletionLoop loop,
        final SendRequests send,
        final ReceiveRequests receive,
        final RegisteredBuffer space,
        final int credits,
        final int messageLength)
    {
        this.queuePairs = queuePairs;
        this.loop = loop;
        this.send = send;
        this.receive = receive;
        this.messageLength = messageLength;
        requestSpace = space.slice(0, messageLength);
        receiveSpaces = new RegisteredBuffer[queuePairs.length][credits];
        long offset = stride(messageLength);
        for (final RegisteredBuffer[] shard : receiveSpaces)
        {
            for (int i = 0; i < credits; i++)
            {
                shard[i] = space.slice(offset, messageLength);
                offset += stride(messageLength);
            }
        }
    }

    /** Bytes needed for the request and all receives. */
    static long spaceLength(final int shards, final int credits, final int messageLength)
    {
        return stride(messageLength) * (1 + (long)shards * credits);
    }

    int messageLength()
    {
        return messageLength;
    }

    /** Requests that may be unanswered per shard. */
    int credits()
    {
        return receiveSpaces[0].length;
    }

    /** Where to write the next request; waits until the device has done with the one before. */
    RegisteredBuffer requestSpace()
    {
        loop.awaitSends();
        return requestSpace;
    }

    /** Whether there is such a receive. */
    boolean hasReceive(final int shard, final int index)
    {
        return shard < receiveSpaces.length && index >= 0 && index < receiveSpaces[shard].length;
    }

    RegisteredBuffer receiveSpace(final int shard, final int index)
    {
        return receiveSpaces[shard][index];
    }

    void send(final int shard, final int length)
    {
        send.at(0)
            .begin(CompletionLoop.sendId(shard), Opcode.SEND, SendFlags.SIGNALED | SendFlags.SOLICITED)
            .element(requestSpace.addressOf(0, length), length, requestSpace.localKey());
        final int errno = send.post(queuePairs[shard], 1);
        if (errno != 0)
        {
            throw loop.lost("SEND cannot be posted: " + Errno.name(errno) + " shard=" + shard);
        }
        loop.sendPosted();
    }

    void postReceives()
    {
        for (int shard = 0; shard < receiveSpaces.length; shard++)
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

    private static long stride(final int messageLength)
    {
        return (messageLength + 63L) & -64L;
    }
}
