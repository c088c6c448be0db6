package org.onesided.client.read;

import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.StoreException;

/**
 * Questions about keys in two turns: the next are collected while those of the present turn are carried out and
 * reported. Each is reported once, in order, whatever the listener throws. Not thread-safe.
 */
final class QuestionTurns
{
    /** Is told of questions that fail. */
    interface FailureListener
    {
        /**
         * A question failed.
         *
         * @param correlation of the question.
         * @param failure     of it.
         */
        void onFailure(long correlation, StoreException failure);
    }

    private final FailureListener listener;
    private CollectedKeys collected = new CollectedKeys();
    private CollectedKeys present = new CollectedKeys();
    /** Number of questions of the turn that were reported, including the one being reported. */
    private int told;

    QuestionTurns(final FailureListener listener)
    {
        this.listener = listener;
    }

    /** How many are collected for the next turn. */
    int collected()
    {
        return collected.count();
    }

    /** Adds a question to the next turn; whether there was room for it. */
    boolean add(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        return collected.add(key, keyOffset, keyLength, correlation, deadlineNs);
    }

    /** Begins the next turn, once all of the present one are reported. */
    void next()
    {
        final CollectedKeys done = present;
        present = collected;
        collected = done;
        done.clear();
        told = 0;
    }

    /** Questions of the present turn. */
    CollectedKeys present()
    {
        return present;
    }

    /** The first that was not reported; their number if all were. */
    int told()
    {
        return told;
    }

    /** The next question is about to be reported. */
    void tell()
    {
        told++;
    }

    /** Begins the next turn, and fails all of it. */
    void failNext(final StoreException failure)
    {
        next();
        try
        {
            while (told < present.count())
            {
                listener.onFailure(present.correlation(told++), failure);
            }
        }
        catch (final RuntimeException | Error e)
        {
            failRest(failure, e);
            throw e;
        }
    }

    /** Fails the questions that were not reported, even if the listener throws: the cause gets what it throws. */
    void failRest(final StoreException failure, final Throwable cause)
    {
        while (told < present.count())
        {
            try
            {
                listener.onFailure(present.correlation(told++), failure);
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
}
