package org.onesided.verbs.ibv;

import org.onesided.verbs.Errno;

/**
 * Decodes results of the data path functions: usually an errno on failure, but some providers return it negated, or
 * just -1.
 */
final class DataPathErrors
{
    private DataPathErrors()
    {
    }

    /**
     * @param result of a function, not 0.
     * @return a positive errno.
     */
    static int errno(final int result)
    {
        if (result > 0)
        {
            return result;
        }
        return result == -1 ? Errno.EINVAL : -result;
    }
}
