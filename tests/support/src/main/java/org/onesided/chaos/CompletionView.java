package org.onesided.chaos;

import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionDescriptor;

/**
 * Fields of an {@code ibv_wc}.
 */
final class CompletionView
{
    private CompletionView()
    {
    }

    static long id(final long address)
    {
        return UnsafeApi.getLong(address + CompletionDescriptor.ID_OFFSET);
    }

    static int status(final long address)
    {
        return UnsafeApi.getInt(address + CompletionDescriptor.STATUS_OFFSET);
    }

    static int queuePair(final long address)
    {
        return UnsafeApi.getInt(address + CompletionDescriptor.QUEUE_PAIR_OFFSET);
    }
}
