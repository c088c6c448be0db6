package org.onesided.client;

import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.MutableVersion;

/**
 * Gets what becomes of the operations of an {@link AsyncSession}: of each exactly one call, with the operation's
 * correlation, in any order. Calls come within {@link AsyncSession#poll}, {@link AsyncSession#drain} and the session's
 * close, in the thread that calls these. They may begin other operations of the same view, but neither poll nor drain
 * it, nor use the session otherwise, which refuse that with an {@link IllegalStateException}. What a call throws comes
 * out of the poll, once the others were told.
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
    void onValue(long correlation, DirectBuffer value);

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
     * The condition of a put did not hold, and nothing changed. A listener needs this method for puts with conditions
     * only.
     *
     * @param correlation that it was begun with.
     * @param version     that the key had, valid for the time of this call only; none if it was absent.
     */
    default void onConflict(final long correlation, final MutableVersion version)
    {
        throw new UnsupportedOperationException(
            "listener does not take conditions that do not hold: correlation=" + correlation);
    }

    /**
     * A delete was done.
     *
     * @param correlation that it was begun with.
     * @param wasPresent  whether the key was present.
     */
    void onDelete(long correlation, boolean wasPresent);

    /**
     * An operation has failed.
     *
     * @param correlation that it was begun with.
     * @param failure     why; its {@link StoreException#writeFate} tells whether a write may have taken effect.
     */
    void onFailure(long correlation, StoreException failure);
}
