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
    public interface Listener
    {
        /**
         * The server has answered.
         *
         * @param correlation of the question.
         * @param ttl         until when the key lives; null if it is absent.
         */
        void onTtl(long correlation, TimeToLive ttl);

        /**
         * A question failed.
         *
         * @param correlation of the question.
         * @param failure     of it.
         */
        void onFailure(long correlation, StoreException failure);
    }

    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionTtl asking;
    private final Listener listener;
    /** Made for the first question: most sessions have none. */
    private CollectedKeys collected;
    private CollectedKeys questions;
    /** Number of questions that were reported, including the one being reported. */
    private int told;

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
        return collected == null ? 0 : collected.count();
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
        if (collected == null)
        {
            collected = new CollectedKeys();
        }
        return collected.add(key, keyOffset, keyLength, correlation, deadlineNs);
    }

    /** Asks the collected questions, and reports each in any case. */
    public void run()
    {
        if (collected() == 0)
        {
            return;
        }
        swap();
        try
        {
            while (told < questions.count())
            {
                ask(told);
            }
        }
        catch (final RuntimeException | Error e)
        {
            failRest(new StoreDisconnectedException(
                "question was ended by an error: " + e, FailureContext.unsent(Operation.TTL, operation.server()), e),
                e);
            throw e;
        }
    }

    private void ask(final int index)
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
            told++;
            listener.onFailure(questions.correlation(index), e);
            return;
        }
        // The listener may block, and the session looks at what is retired before its next READ.
        reconnector.pauseReads();
        told++;
        listener.onTtl(questions.correlation(index), ttl);
    }

    /**
     * Fails all that are collected.
     *
     * @param failure of each.
     */
    public void close(final StoreException failure)
    {
        if (collected() == 0)
        {
            return;
        }
        swap();
        try
        {
            while (told < questions.count())
            {
                listener.onFailure(questions.correlation(told++), failure);
            }
        }
        catch (final RuntimeException | Error e)
        {
            failRest(failure, e);
            throw e;
        }
    }

    /** Fails the questions that were not reported, even if the listener throws. */
    private void failRest(final StoreException failure, final Throwable cause)
    {
        while (told < questions.count())
        {
            try
            {
                listener.onFailure(questions.correlation(told++), failure);
            }
            catch (final RuntimeException | Error e)
            {
                if (e != cause)
                {
                    cause.addSuppressed(e);
                }
            }
        }
    }

    private void swap()
    {
        final CollectedKeys done = questions == null ? new CollectedKeys() : questions;
        questions = collected;
        collected = done;
        done.clear();
        told = 0;
    }
}
