package org.onesided.server.shard.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.protocol.rpc.BatchMessages;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.MemoryRange;

class BatchPutsTest
{
    private static final Superblock SUPERBLOCK = GrowthPlan.of(4 << 20, 1, 1, 4096).superblock(1, 2, 3, 4);

    private final KeyHash keyHash = new KeyHash(SUPERBLOCK.hashSeed());
    private final UnsafeBuffer memory =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned((int)SUPERBLOCK.regionLength(), 4096));
    private final ShardTable table = new ShardTable(
        new MemoryRange(memory.addressOffset(), memory.capacity()), SUPERBLOCK, 0, 1);
    private final BatchPuts puts = new BatchPuts(table, keyHash, 0, 1, new ShardCounters(false));
    private final RequestWindow window = new RequestWindow(16);
    private final Request request = new Request(keyHash);
    private final UnsafeBuffer message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(8192, 8));
    private final UnsafeBuffer answer =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(BatchLimits.MAX_ANSWER_LENGTH, 8));
    private final FoundRecord found = new FoundRecord();

    private boolean encode(final long id, final int[] lengths, final String... keys)
    {
        return request.wrap(message.addressOffset(), BatchMessages.encode(message, id, lengths, keys));
    }

    private List<Status> statuses(final int length)
    {
        final PutBatchAnswerDecoder decoder = new PutBatchAnswerDecoder()
            .wrapAndApplyHeader(answer, 0, new MessageHeaderDecoder());
        assertEquals(request.requestId(), decoder.requestId());
        final List<Status> all = new ArrayList<>();
        for (final PutBatchAnswerDecoder.OutcomesDecoder outcome : decoder.outcomes())
        {
            all.add(outcome.status());
            // No place is told of a put that failed.
            assertTrue(outcome.status() == Status.OK || outcome.slotWord() == 0 && outcome.bucketOffset() == 0);
        }
        assertEquals(length, decoder.limit());
        assertTrue(length < BatchLimits.MAX_ANSWER_LENGTH);
        return all;
    }

    /** Length of a key's value, or -1. */
    private int find(final String key)
    {
        message.putStringWithoutLengthAscii(4096, key);
        final long address = message.addressOffset() + 4096;
        final long hash = keyHash.hash(address, key.length());
        return table.lookups().find(hash, address, key.length(), found) ? found.valueLength() : -1;
    }

    @Test
    void shouldPutInOrderAndGoOnBehindAPutThatFails()
    {
        assertTrue(encode(7, new int[]{1, 2, 3, 4}, "a", "", "b", "a"));
        assertEquals(
            List.of(Status.OK, Status.INVALID, Status.OK, Status.OK),
            statuses(puts.execute(request, window, answer)));
        assertEquals(4, find("a"));
        assertEquals(3, find("b"));
        assertEquals(4, puts.takeExecuted());
        assertEquals(0, puts.takeExecuted());
    }

    @Test
    void shouldNotPutAgainWhatTheWindowRemembers()
    {
        assertTrue(encode(7, new int[]{1, 2, 3}, "a", "b", "c"));
        window.progress(7, new byte[]{(byte)Status.OK.value(), (byte)Status.INVALID.value()}, 2);
        window.begin(7);
        window.forget(7);
        assertEquals(RequestWindow.State.NEW, window.state(7));
        assertEquals(
            List.of(Status.OK, Status.INVALID, Status.OK), statuses(puts.execute(request, window, answer)));
        assertEquals(-1, find("a"));
        assertEquals(-1, find("b"));
        assertEquals(3, find("c"));
    }

    @Test
    void shouldRememberHowFarItCameWhenAPutFailsUnexpectedly()
    {
        window.done(7, answer, 10);
        assertTrue(encode(23, new int[]{1, 2, 3}, "a", "", "b"));
        // Without counters, none can count the refusal of the second one.
        final BatchPuts failing = new BatchPuts(table, keyHash, 0, 1, null);
        assertThrows(NullPointerException.class, () -> failing.execute(request, window, answer));
        assertEquals(1, find("a"));
        assertEquals(RequestWindow.State.OUTSIDE, window.state(7), "its answer was overwritten");
        assertEquals(RequestWindow.State.NEW, window.state(23));

        assertTrue(encode(23, new int[]{4, 2, 3}, "a", "", "b"));
        assertEquals(
            List.of(Status.OK, Status.INVALID, Status.OK), statuses(puts.execute(request, window, answer)));
        assertEquals(1, find("a"), "it was not put again");
        assertEquals(3, find("b"));
    }

    @Test
    void shouldRememberAByteForEachPutAndNoPlaces()
    {
        assertTrue(encode(7, new int[]{1, 2, 3}, "a", "", "b"));
        final List<Status> first = statuses(puts.execute(request, window, answer));
        assertTrue(outcome(0).bucketOffset() != 0);
        puts.remember(request, window);
        assertEquals(RequestWindow.State.DONE, window.state(7));
        assertEquals(3, window.answerLength(7));

        // Another one between them.
        assertTrue(encode(8, new int[]{1}, "c"));
        puts.execute(request, window, answer);
        assertFalse(window.isBatch(8));
        assertTrue(encode(7, new int[]{1, 2, 3}, "a", "", "b"));
        assertTrue(window.isBatch(7));
        assertEquals(first, statuses(puts.again(7, window, answer)));
        assertEquals(0, outcome(0).bucketOffset());
        assertEquals(0, outcome(0).slotWord());
        window.done(7 + 16, answer, 10);
        assertFalse(window.isBatch(7));
        assertFalse(window.isBatch(7 + 16));
    }

    private PutBatchAnswerDecoder.OutcomesDecoder outcome(final int put)
    {
        final PutBatchAnswerDecoder.OutcomesDecoder outcomes = new PutBatchAnswerDecoder()
            .wrapAndApplyHeader(answer, 0, new MessageHeaderDecoder()).outcomes();
        for (int i = 0; i <= put; i++)
        {
            outcomes.next();
        }
        return outcomes;
    }

    @Test
    void shouldForgetTheProgressOfABatchThatIsDone()
    {
        window.progress(7, new byte[]{(byte)Status.OK.value()}, 1);
        final byte[] statuses = new byte[BatchLimits.MAX_PUTS];
        assertEquals(0, window.progress(7 + 16, statuses));
        assertEquals(1, window.progress(7, statuses));
        window.done(7, answer, 10);
        assertEquals(0, window.progress(7, statuses));
    }

    @Test
    void shouldRefuseWhatIsLeft()
    {
        assertTrue(encode(7, new int[]{1, 2, 3}, "a", "b", "c"));
        window.progress(7, new byte[]{(byte)Status.OK.value()}, 1);
        assertEquals(List.of(Status.OK, Status.STORE_FULL, Status.STORE_FULL),
            statuses(puts.refuse(request, Status.STORE_FULL, window, answer)));
        assertEquals(-1, find("c"));
    }

    @Test
    void shouldTakeNoMoreThanTheMostPuts()
    {
        final String[] keys = new String[BatchLimits.MAX_PUTS + 1];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "key" + i;
        }
        assertFalse(encode(1, new int[keys.length], keys));
        final String[] most = Arrays.copyOf(keys, BatchLimits.MAX_PUTS);
        assertTrue(encode(1, new int[most.length], most));
        assertEquals(BatchLimits.MAX_PUTS, statuses(puts.execute(request, window, answer)).size());
        assertEquals(0, find(most[BatchLimits.MAX_PUTS - 1]));
    }

    @Test
    void shouldRefuseAMessageThatIsCutWithinAPutOrEmpty()
    {
        final int first = BatchMessages.encode(message, 1, new int[]{5}, "a");
        final int whole = BatchMessages.encode(message, 1, new int[]{5, 6}, "a", "b");
        for (int length = 0; length < whole; length++)
        {
            assertEquals(length == first, request.wrap(message.addressOffset(), length), "length=" + length);
        }
        assertTrue(request.wrap(message.addressOffset(), whole));
        assertEquals(2, request.puts());
        assertFalse(request.wrap(message.addressOffset(), whole + 1));
    }
}
