package org.onesided.client.request;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SessionParts;
import org.onesided.fuzz.BootstrapSeeds;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;
import org.onesided.fuzz.Wire;
import org.onesided.protocol.rpc.codec.ComputedAnswerEncoder;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.GetAnswerEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerEncoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.StatAnswerEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.TtlAnswerEncoder;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.rpc.codec.WriteAnswerEncoder;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendRequests;

/**
 * Answers of a server to a client's requests. The first byte of an input chooses what the client asks for; a number of
 * messages follow, each behind its length in 2 bytes.
 */
public final class AnswersTarget implements FuzzTarget
{
    private static final int CREDITS = 4;
    private static final int MESSAGE_LENGTH = 8192;
    private static final int KINDS = 8;
    private static final long SLOTS_LENGTH = MessageSpace.length(1, CREDITS, MESSAGE_LENGTH);
    private static final long RECEIVES_LENGTH = RequestChannel.spaceLength(1, CREDITS, MESSAGE_LENGTH);
    private static final long ALIGNMENT = 64;

    private final long allocated = UnsafeApi.allocateMemory(SLOTS_LENGTH + RECEIVES_LENGTH + ALIGNMENT);
    private final MemoryRange memory =
        new MemoryRange((allocated + ALIGNMENT - 1) & -ALIGNMENT, SLOTS_LENGTH + RECEIVES_LENGTH);
    private final RegisteredBuffer space = new RegisteredBuffer(memory, 1, 2);
    private final Wire wire = new Wire(new MemoryRange(0, 0), memory, new MemoryRange(0, 0), 0);
    private final SendRequests send = new SendRequests(CREDITS, 1);
    private final ReceiveRequests receive = new ReceiveRequests(1, 1);
    private final UnsafeBuffer key = new UnsafeBuffer(BufferUtil.allocateDirectAligned(8, 8));

    /**
     * For {@code ServiceLoader}.
     */
    public AnswersTarget()
    {
    }

    @Override
    public String name()
    {
        return "rpc-answers";
    }

    @Override
    public List<byte[]> seeds()
    {
        final byte[] put = answer((buffer) -> new WriteAnswerEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1).slotWord(1).version(2)
            .bucketOffset(4096).slotIndex((short)3).status(Status.OK).limit());
        final byte[] got = answer((buffer) -> new GetAnswerEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1).version(2).extent(0).wholeLength(5)
            .status(Status.OK).putValue(new byte[5], 0, 5).limit());
        final byte[] released = answer((buffer) -> new ReleaseAnswerEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1).status(Status.OK).limit());
        final byte[] told = answer((buffer) ->
        {
            final StatAnswerEncoder stat =
                new StatAnswerEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1)
                    .records(1).status(Status.OK);
            stat.devicesCount(1).next().deviceSessions(1).name("shm");
            return stat.limit();
        });
        final byte[] computed = answer((buffer) -> new ComputedAnswerEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1).slotWord(1).version(2)
            .bucketOffset(4096).slotIndex((short)3).status(Status.OK).result(-5).limit());
        final byte[] left = answer((buffer) -> new TtlAnswerEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1).expiry(1_700_000_000_000L)
            .left(500).status(Status.OK).limit());
        final List<byte[]> seeds = new ArrayList<>();
        final byte[] batch = answer((buffer) ->
        {
            final PutBatchAnswerEncoder encoder =
                new PutBatchAnswerEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1);
            encoder.outcomesCount(2)
                .next().slotWord(1).bucketOffset(4096).slotIndex((short)3).status(Status.OK)
                .next().slotWord(0).bucketOffset(0).slotIndex((short)0).status(Status.STORE_FULL);
            return encoder.limit();
        });
        final byte[][] answers = {put, put, got, released, told, computed, left, batch};
        for (byte kind = 0; kind < KINDS; kind++)
        {
            seeds.add(BootstrapSeeds.join(new byte[]{kind}, answers[kind]));
            seeds.add(BootstrapSeeds.join(new byte[]{kind}, answers[kind], put));
        }
        seeds.add(BootstrapSeeds.join(new byte[]{7}, put));
        // A result for a write that has none, and none for one that has.
        seeds.add(BootstrapSeeds.join(new byte[]{0}, computed));
        seeds.add(BootstrapSeeds.join(new byte[]{5}, put));
        return seeds;
    }

    @Override
    public void feed(final byte[] input)
    {
        wire.renew();
        final CompletionLoop loop = SessionParts.loop(wire, wire, 1);
        final RequestSlots slots =
            new RequestSlots(
                ServedShards.all(1), CREDITS, MESSAGE_LENGTH, true, 1, space.slice(0, SLOTS_LENGTH), () -> { });
        final RequestChannel channel = new RequestChannel(
            new QueuePair[]{wire}, loop, slots, send, receive, space.slice(SLOTS_LENGTH, RECEIVES_LENGTH), 0);
        final Rpc rpc = new Rpc(slots, channel, loop, new AnswerListener()
        {
            @Override
            public void onAnswer(
                final RequestSlots of, final int slot, final WriteAnswerDecoder answer, final long result)
            {
                RequestCodec.status(answer.statusRaw());
            }

            @Override
            public void onAnswer(final RequestSlots of, final int slot, final BatchAnswer answer)
            {
                for (int i = 0; i < answer.count(); i++)
                {
                    answer.status(i);
                    answer.slotWord(i);
                    answer.bucketOffset(i);
                    answer.slotIndex(i);
                }
            }
        });
        try
        {
            channel.postReceives();
            ask(slots, rpc, input);
        }
        catch (final AttachmentLostException e)
        {
            Refusal.check(e);
        }
        catch (final DeadlinePassedException e)
        {
            // There is no answer that it waits for.
        }
        finally
        {
            loop.close();
        }
        final String lost = SessionParts.lostReason(loop);
        if (lost != null)
        {
            Refusal.check(lost, null);
        }
    }

    private void ask(final RequestSlots slots, final Rpc rpc, final byte[] input)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        final int kind = bytes.hasRemaining() ? (bytes.get() & 0xFF) % KINDS : 0;
        switch (kind)
        {
            case 0 ->
            {
                put(rpc);
                answer(bytes);
                rpc.awaitWrite();
            }
            case 1 ->
            {
                final int slot = rpc.makeRoom(0);
                rpc.stageDelete(slot, key, 3);
                rpc.postAwaited(slot);
                answer(bytes);
                rpc.awaitWrite();
            }
            case 2 ->
            {
                rpc.get(0, key, 3);
                answer(bytes);
                final GetAnswerDecoder got = rpc.awaitGet();
                RequestCodec.status(got.statusRaw());
                final long at = rpc.valueAddress();
                if (got.valueLength() < 0 || at < memory.address() + SLOTS_LENGTH ||
                    at + got.valueLength() > memory.address() + memory.length())
                {
                    throw new AssertionError("value outside of its message: length=" + got.valueLength());
                }
            }
            case 3 ->
            {
                rpc.release(0, 4096);
                answer(bytes);
                RequestCodec.status(rpc.awaitRelease().statusRaw());
            }
            case 5 ->
            {
                final int slot = rpc.makeRoom(0);
                rpc.stage(slot, rpc.codec().increment(slot, WriteTerms.KEEP, key, 3, 1, 0));
                rpc.postAwaited(slot);
                answer(bytes);
                rpc.awaitWrite();
            }
            case 6 ->
            {
                rpc.ttl(0, key, 3);
                answer(bytes);
                RequestCodec.status(rpc.awaitTtl().statusRaw());
            }
            case 7 ->
            {
                final int slot = rpc.makeRoom(0);
                rpc.stagePut(slot, key, 3, new byte[5], BufferUtil.ARRAY_BASE_OFFSET, 5);
                slots.correlations().open(slot);
                slots.join(slot, rpc.codec().join(slot, key, 3, new byte[4], BufferUtil.ARRAY_BASE_OFFSET, 4), 2);
                rpc.postAwaited(slot);
                answer(bytes);
                rpc.awaitWrite();
            }
            default ->
            {
                rpc.statistics(0, false);
                answer(bytes);
                rpc.awaitStatistics().sessions();
            }
        }
        rpc.releaseAnswer();
        // What comes behind it is taken with the next.
        put(rpc);
        answer(bytes);
        rpc.awaitWrite();
    }

    private void put(final Rpc rpc)
    {
        final int slot = rpc.makeRoom(0);
        rpc.stagePut(slot, key, 3, new byte[5], BufferUtil.ARRAY_BASE_OFFSET, 5);
        rpc.postAwaited(slot);
    }

    private void answer(final ByteBuffer bytes)
    {
        if (bytes.remaining() >= Short.BYTES)
        {
            final byte[] message = new byte[Math.min(bytes.getShort() & 0xFFFF, bytes.remaining())];
            bytes.get(message);
            wire.send(message);
        }
    }

    private static byte[] answer(final ToIntFunction<UnsafeBuffer> encoder)
    {
        final byte[] bytes = new byte[MESSAGE_LENGTH];
        final int length = encoder.applyAsInt(new UnsafeBuffer(bytes));
        return BootstrapSeeds.join(new byte[]{(byte)length, (byte)(length >> 8)}, Arrays.copyOf(bytes, length));
    }

    @Override
    public void close()
    {
        send.close();
        receive.close();
        UnsafeApi.freeMemory(allocated);
    }
}
