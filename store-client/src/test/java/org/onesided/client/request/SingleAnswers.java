package org.onesided.client.request;

/**
 * Listens to the answers of a test that sends no batches.
 */
interface SingleAnswers extends AnswerListener
{
    @Override
    default void onAnswer(final RequestSlots slots, final int slot, final BatchAnswer answer)
    {
        throw new IllegalStateException("answer to a batch, though none is sent here: puts=" + answer.count());
    }
}
