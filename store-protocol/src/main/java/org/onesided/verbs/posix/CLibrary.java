package org.onesided.verbs.posix;

import org.onesided.verbs.Errno;

/**
 * The C library and the errors of its calls.
 */
final class CLibrary
{
    /**
     * A call that returns -1 and sets errno on failure.
     */
    @FunctionalInterface
    interface IntCall
    {
        int run();
    }

    private CLibrary()
    {
    }

    /**
     * Makes a call again as long as signals interrupt it.
     *
     * @return what it returned, or a negative errno.
     */
    static int retried(final IntCall call)
    {
        while (true)
        {
            final int result = call.run();
            if (result >= 0)
            {
                return result;
            }
            final int errno = errno();
            if (errno != Errno.EINTR)
            {
                return -errno;
            }
        }
    }

    static int errno()
    {
        return PosixCalls.errno();
    }
}
