package org.onesided.server.shard.execution;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.benchmark.parts.OffHeap;
import org.onesided.benchmark.parts.PartBenchmark;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.rpc.codec.WriteAnswerEncoder;
import org.onesided.protocol.table.KeyHash;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What a put costs in messages: the request written, then read and checked as the server does, and the answer.
 */
public class RequestBenchmark extends PartBenchmark
{
    private static final int KEY_LENGTH = 16;
    private static final int SPACE = 64 * 1024;

    @Param({"100"})
    private int valueLength;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PutRequestEncoder putRequest = new PutRequestEncoder();
    private final WriteAnswerEncoder writeAnswer = new WriteAnswerEncoder();
    private final MessageHeaderDecoder answerHeader = new MessageHeaderDecoder();
    private final WriteAnswerDecoder answer = new WriteAnswerDecoder();
    private final Request request = new Request(new KeyHash(1));
    private final UnsafeBuffer entry = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private OffHeap memory;
    private int encodedLength;
    private long nextId;

    /** */
    @Setup(Level.Trial)
    public void begin()
    {
        memory = new OffHeap(3 * SPACE);
        entry.wrap(memory.address(), SPACE);
        message.wrap(memory.address() + SPACE, SPACE);
        encodedLength = encodePut();
        if (!decodePut())
        {
            throw new IllegalStateException("request is refused: length=" + encodedLength);
        }
    }

    /** */
    @TearDown(Level.Trial)
    public void end()
    {
        memory.close();
    }

    /**
     * Writes a put request.
     *
     * @return its length.
     */
    @Benchmark
    public int encodePut()
    {
        putRequest.wrapAndApplyHeader(message, 0, header)
            .requestId(nextId++)
            .putKey(entry, 0, KEY_LENGTH)
            .putValue(entry, KEY_LENGTH, valueLength);
        return putRequest.limit();
    }

    /**
     * Reads and checks a put request, and hashes its key.
     *
     * @return whether it is one.
     */
    @Benchmark
    public boolean decodePut()
    {
        return request.wrap(memory.address() + SPACE, encodedLength) &&
            request.keyLength() == KEY_LENGTH && request.valueLength() == valueLength;
    }

    /**
     * Writes and reads the answer to a put.
     *
     * @return the slot word in it.
     */
    @Benchmark
    public long answer()
    {
        message.wrap(memory.address() + 2 * SPACE, SPACE);
        writeAnswer.wrapAndApplyHeader(message, 0, header)
            .requestId(nextId++)
            .slotWord(nextId)
            .version(nextId)
            .bucketOffset(nextId)
            .slotIndex((short)1)
            .status(Status.OK);
        final long slotWord = answer.wrapAndApplyHeader(message, 0, answerHeader).slotWord();
        message.wrap(memory.address() + SPACE, SPACE);
        return slotWord;
    }
}
