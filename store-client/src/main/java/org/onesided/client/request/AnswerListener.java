package org.onesided.client.request;

import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * Receives the answers to staged writes.
 */
interface AnswerListener
{
    /**
     * Within the poll that found the answer; the slot is free after this.
     *
     * @param slots  that hold the write.
     * @param slot   in these.
     * @param answer to it.
     * @param result that the server computed, 0 if it computed none.
     */
    void onAnswer(RequestSlots slots, int slot, WriteAnswerDecoder answer, long result);

    /**
     * As {@link #onAnswer}, for a batch of puts.
     *
     * @param slots  that hold the batch.
     * @param slot   in these.
     * @param answer with a status for each put.
     */
    void onAnswer(RequestSlots slots, int slot, BatchAnswer answer);
}
