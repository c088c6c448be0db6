package org.onesided.verbs.ibv;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;

/**
 * Hands a chain of requests to a provider.
 */
final class Posting
{
    private Posting()
    {
    }

    /**
     * @param function   of the provider.
     * @param queue      address of the {@code ibv_qp} or {@code ibv_srq}.
     * @param first      address of the first request.
     * @param bad        address of 8 bytes that get the address of the first refused request.
     * @param before     where {@link RequestChecks} found the chain wrong, 0 if nowhere.
     * @param nextOffset of a request's link to the next.
     * @return 0 or a positive errno.
     */
    static int post(
        final long function, final long queue, final long first, final long bad, final long before,
        final int nextOffset)
    {
        // Not every provider names the refused request, and an earlier one must not be taken for it.
        UnsafeApi.putLong(bad, 0);
        if (before == 0)
        {
            final int result = DirectCalls.call(function, queue, first, bad);
            return result == 0 ? 0 : refused(result, first, bad);
        }
        if (before == -first)
        {
            UnsafeApi.putLong(bad, first);
            return Errno.EINVAL;
        }
        return postUpTo(function, queue, first, bad, before, nextOffset);
    }

    /**
     * Posts what is before the wrong request: the chain ends there meanwhile.
     */
    private static int postUpTo(
        final long function, final long queue, final long first, final long bad, final long last, final int nextOffset)
    {
        final long wrong = UnsafeApi.getLong(last + nextOffset);
        UnsafeApi.putLong(last + nextOffset, 0);
        final int result = DirectCalls.call(function, queue, first, bad);
        UnsafeApi.putLong(last + nextOffset, wrong);
        if (result != 0)
        {
            return refused(result, first, bad);
        }
        UnsafeApi.putLong(bad, wrong);
        return Errno.EINVAL;
    }

    private static int refused(final int result, final long first, final long bad)
    {
        // Where the doorbell fails, rxe's provider names none.
        if (UnsafeApi.getLong(bad) == 0)
        {
            UnsafeApi.putLong(bad, first);
        }
        return DataPathErrors.errno(result);
    }
}
