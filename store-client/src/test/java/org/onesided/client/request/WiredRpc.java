package org.onesided.client.request;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Deadline;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.TestMemory;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendRequests;

/**
 * The requests of a session with one shard, over a wire whose peer is the test.
 */
final class WiredRpc implements AutoCloseable
{
    private final TestMemory memory = new TestMemory();
    private final SendRequests send;
    private final ReceiveRequests receive = new ReceiveRequests(1, 1);
    final FakeWire wire = new FakeWire();
    final Deadline deadline = SessionParts.deadline(TimeUnit.SECONDS.toNanos(20));
    final CompletionLoop loop = SessionParts.loop(wire, deadline);
    final RequestSlots slots;
    final RequestChannel channel;
    /** Ids of the requests whose answers the listener got. */
    final List<Long> answered = new ArrayList<>();
    /** What these answers say that the server computed. */
    final List<Long> results = new ArrayList<>();
    final Rpc rpc;
    /** Begins with the text {@code key}. */
    final UnsafeBuffer key = new UnsafeBuffer(BufferUtil.allocateDirectAligned(8, 8));

    WiredRpc(final int credits, final int messageLength)
    {
        send = new SendRequests(credits, 1);
        slots = new RequestSlots(
            ServedShards.all(1), credits, messageLength, true, 1,
            memory.buffer(MessageSpace.length(1, credits, messageLength)),
            () -> { });
        channel = new RequestChannel(
            new QueuePair[] {wire},
            loop,
            slots,
            send,
            receive,
            memory.buffer(RequestChannel.spaceLength(1, credits, messageLength)),
            0);
        rpc = anotherRpc();
        key.putBytes(0, TestMemory.bytes("key"));
        channel.postReceives();
    }

    /** Over the same slots and channel. */
    Rpc anotherRpc()
    {
        return new Rpc(slots, channel, loop, (SingleAnswers)(of, slot, answer, result) ->
        {
            answered.add(answer.requestId());
            results.add(result);
        });
    }

    @Override
    public void close()
    {
        loop.close();
        send.close();
        receive.close();
        memory.close();
    }
}
