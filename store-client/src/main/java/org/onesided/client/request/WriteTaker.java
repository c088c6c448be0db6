package org.onesided.client.request;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.session.CompletionLoop;
import org.onesided.protocol.rpc.codec.ComputedAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * Takes the answers to writes: checks that each fits its request, and hands it to the listener. An answer that does not
 * fit costs the attachment. Not thread-safe.
 */
final class WriteTaker
{
    private final RequestSlots slots;
    private final CompletionLoop loop;
    private final AnswerListener listener;
    private final AnswerHeader header;
    private final WriteAnswerDecoder writeAnswer = new WriteAnswerDecoder();
    private final ComputedAnswerDecoder computedAnswer = new ComputedAnswerDecoder();
    private final BatchAnswer batchAnswer = new BatchAnswer();

    /**
     * @param slots    that hold the writes.
     * @param loop     of the attachment.
     * @param listener gets the answers.
     * @param header   that others use between two calls.
     */
    WriteTaker(
        final RequestSlots slots, final CompletionLoop loop, final AnswerListener listener, final AnswerHeader header)
    {
        this.slots = slots;
        this.loop = loop;
        this.listener = listener;
        this.header = header;
    }

    /** Processes the answer to a write, unless it is malformed or nothing came of it; whether it did. */
    boolean tryTake(final int slot, final UnsafeBuffer answer)
    {
        final boolean isBatch = slots.correlations().puts(slot) > 1;
        if (isBatch && header.tryWrap(answer, PutBatchAnswerDecoder.TEMPLATE_ID, PutBatchAnswerDecoder.BLOCK_LENGTH))
        {
            return tryTakeBatch(slot, answer);
        }
        final long message = slots.messages().address(slot);
        final boolean isComputed = RequestCodec.isComputed(message);
        final boolean hasResult = isComputed &&
            header.tryWrap(answer, ComputedAnswerDecoder.TEMPLATE_ID, ComputedAnswerDecoder.BLOCK_LENGTH);
        if (!hasResult && !header.tryWrap(answer, WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH))
        {
            loop.lose("answer does not fit its write: template=" + header.decoder().templateId());
            return false;
        }
        // An answer with a result begins like one without.
        writeAnswer.wrap(
            answer, MessageHeaderDecoder.ENCODED_LENGTH, header.decoder().blockLength(), header.decoder().version());
        if (writeAnswer.statusRaw() == Status.NOT_LEADING.value())
        {
            // The write stays pending, and is sent again to the next leader.
            loop.lose(AnswerHeader.notLeading(writeAnswer));
            return false;
        }
        if (isBatch && writeAnswer.statusRaw() == Status.OK.value())
        {
            loop.lose("answer to a batch has no status for each put");
            return false;
        }
        if (isComputed && hasResult != (writeAnswer.statusRaw() == Status.OK.value()))
        {
            loop.lose("answer to a computed write has a result without success, or none: status=" +
                writeAnswer.statusRaw());
            return false;
        }
        final long result = hasResult ? computedAnswer.wrapAndApplyHeader(answer, 0, header.decoder()).result() : 0;
        if (hasResult && !RequestCodec.mayResult(message, result))
        {
            loop.lose("answer to an append has an impossible length: length=" + result);
            return false;
        }
        tell(slot, null, result);
        return true;
    }

    /** As {@link #tryTake}, for a batch of puts. */
    private boolean tryTakeBatch(final int slot, final UnsafeBuffer answer)
    {
        final int puts = slots.correlations().puts(slot);
        if (!batchAnswer.tryWrap(answer, header.decoder().blockLength(), puts))
        {
            loop.lose("answer to a batch has not one status for each put: puts=" + puts);
            return false;
        }
        tell(slot, batchAnswer, 0);
        return true;
    }

    private void tell(final int slot, final BatchAnswer ofBatch, final long result)
    {
        try
        {
            if (ofBatch == null)
            {
                listener.onAnswer(slots, slot, writeAnswer, result);
            }
            else
            {
                listener.onAnswer(slots, slot, ofBatch);
            }
        }
        catch (final RuntimeException | Error e)
        {
            // For example OutOfMemoryError. Losing the attachment frees the slot, for which the shard's requests would
            // wait.
            loop.lose("answer to a write could not be taken");
            throw e;
        }
        slots.answered(slot);
    }
}
