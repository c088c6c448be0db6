package org.onesided.client.read;

import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.SessionTtl;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.TimeToLive;

/**
 * Questions of the asynchronous view when keys expire, collected and asked one after another, each by one request.
 * While answers are reported, the next questions are collected. Not thread-safe.
 */
public final class AsyncTtls
{
    /** Receives the answers. */
    public interface Listener extends QuestionTurns.FailureListener
    {
        /**
         * The server has answered.
         *
         * @param correlation of the question.
         * @param ttl         until when the key lives; null if it is absent.
         */
        void onTtl(long correlation, TimeToLive ttl);
    }

    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionTtl asking;
    private final Listener listener;
    /** Made for the first question: most sessions have none. */
    private QuestionTurns turns;

    /**
     * @param core     of the session.
     * @param engine   of the session.
     * @param listener is told of each question.
     */
    public AsyncTtls(final SessionCore core, final RequestEngine engine, final Listener listener)
    {
        operation = core.operation();
        reconnector = core.reconnector();
        asking = new SessionTtl(core, engine);
        this.listener = listener;
    }

    /**
     * @return how many are collected.
     */
    public int collected()
    {
        return turns == null ? 0 : turns.collected();
    }

    /**
     * Adds a question.
     *
     * @param key         holds the key, whose length was checked.
     * @param keyOffset   where it begins.
     * @param keyLength   in bytes.
     * @param correlation that the listener is told.
     * @param deadlineNs  when the answer must be there, a time of {@link System#nanoTime()}.
     * @return whether there was room for it.
     */
    public boolean add(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        if (turns == null)
        {
            turns = new QuestionTurns(listener);
        }
        return turns.add(key, keyOffset, keyLength, correlation, deadlineNs);
    }

    /** Asks the collected questions, and reports each in any case. */
    public void run()
    {
        if (collected() == 0)
        {
            return;
        }
        turns.next();
        try
        {
            while (turns.told() < turns.present().count())
            {
                ask(turns.present(), turns.told());
            }
        }
        catch (final RuntimeException | Error e)
        {
            turns.failRest(new StoreDisconnectedException(
                "question was ended by an error: " + e, FailureContext.unsent(Operation.TTL, operation.server()), e),
                e);
            throw e;
        }
    }

    private void ask(final CollectedKeys questions, final int index)
    {
        final TimeToLive ttl;
        try
        {
            operation.deadline().at(questions.deadlineNs(index));
            operation.key(null, questions.keyAddress(index), questions.keyLength(index));
            operation.next(Operation.TTL, questions.keyLength(index));
            reconnector.checkDeadline("deadline passed before it could be asked", WriteFate.NONE);
            ttl = asking.ask();
        }
        catch (final StoreException e)
        {
            turns.tell();
            listener.onFailure(questions.correlation(index), e);
            return;
        }
        // The listener may block, and the session looks at what is retired before its next READ.
        reconnector.pauseReads();
        turns.tell();
        listener.onTtl(questions.correlation(index), ttl);
    }

    /**
     * Fails all that are collected.
     *
     * @param failure of each.
     */
    public void close(final StoreException failure)
    {
        if (collected() > 0)
        {
            turns.failNext(failure);
        }
    }
}
