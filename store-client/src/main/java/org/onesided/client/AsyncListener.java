package org.onesided.client;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.TimeToLive;

/**
 * Gets what becomes of the operations of an {@link AsyncSession}: of each exactly one call, with the operation's
 * correlation, in any order. Calls come within {@link AsyncSession#poll}, {@link AsyncSession#drain} and the session's
 * close, in the thread that calls these. They may begin other operations of the same view, but neither poll nor drain
 * it, nor use the session otherwise, which refuse that with an {@link IllegalStateException}. What a call throws comes
 * out of the poll, once the others were told.
 *
 * <p>A listener needs the methods of the operations that it begins. Those of the others, if it leaves them as they are,
 * throw an {@link UnsupportedOperationException}.
 */
public interface AsyncListener
{
    /**
     * A lookup has ended.
     *
     * @param correlation that it was begun with.
     * @param value       the value, from 0 to the buffer's capacity, valid for the time of this call only; null if the
     *                    key is absent.
     */
    void onValue(long correlation, @Nullable DirectBuffer value);

    /**
     * A lookup has ended. Called instead of {@link #onValue(long, DirectBuffer)}, which it calls unless a listener
     * wants the version.
     *
     * @param correlation that it was begun with.
     * @param value       as there.
     * @param version     of the value, valid for the time of this call only; none if the key is absent.
     */
    default void onValue(final long correlation, final DirectBuffer value, final MutableVersion version)
    {
        onValue(correlation, value);
    }

    /**
     * A put was done.
     *
     * @param correlation that it was begun with.
     */
    void onPut(long correlation);

    /**
     * A put was done. Called instead of {@link #onPut(long)}, which it calls unless a listener wants the version.
     *
     * @param correlation that it was begun with.
     * @param version     that the key has got, valid for the time of this call only; none if the key's time is over.
     */
    default void onPut(final long correlation, final MutableVersion version)
    {
        onPut(correlation);
    }

    /**
     * The condition of a put or delete did not hold, and nothing changed.
     *
     * @param correlation that it was begun with.
     * @param version     that the key had, valid for the time of this call only; none if it was absent.
     */
    default void onConflict(final long correlation, final MutableVersion version)
    {
        throw notTaken("conditions that do not hold", correlation);
    }

    /**
     * A delete was done.
     *
     * @param correlation that it was begun with.
     * @param wasPresent  whether the key was present.
     */
    void onDelete(long correlation, boolean wasPresent);

    /**
     * An increment was done.
     *
     * @param correlation that it was begun with.
     * @param number      the new one.
     * @param version     that the key has got, valid for the time of this call only; none if the key's time is over.
     */
    default void onIncrement(final long correlation, final long number, final MutableVersion version)
    {
        throw notTaken("increments", correlation);
    }

    /**
     * An append was done.
     *
     * @param correlation that it was begun with.
     * @param length      the value's new length in bytes.
     * @param version     that the key has got, valid for the time of this call only; none if the key's time is over.
     */
    default void onAppend(final long correlation, final int length, final MutableVersion version)
    {
        throw notTaken("appends", correlation);
    }

    /**
     * A change of a key's time was done.
     *
     * @param correlation that it was begun with.
     * @param wasPresent  whether the key was present.
     */
    default void onTouch(final long correlation, final boolean wasPresent)
    {
        throw notTaken("changes of a key's time", correlation);
    }

    /**
     * The server has told until when a key lives.
     *
     * @param correlation that the question was begun with.
     * @param ttl         until when the key lives, or null if it is absent.
     */
    default void onTtl(final long correlation, final @Nullable TimeToLive ttl)
    {
        throw notTaken("times of keys", correlation);
    }

    /**
     * An operation has failed.
     *
     * @param correlation that it was begun with.
     * @param failure     why; its {@link StoreException#writeFate} tells whether a write may have taken effect.
     */
    void onFailure(long correlation, StoreException failure);

    private static UnsupportedOperationException notTaken(final String what, final long correlation)
    {
        return new UnsupportedOperationException("listener does not take " + what + ": correlation=" + correlation);
    }
}
