package org.onesided.verbs.posix;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
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

    static final PosixCalls CALLS = load();
    static final Runtime RUNTIME = Runtime.getRuntime(CALLS);

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
        return RUNTIME.getLastError();
    }

    private static PosixCalls load()
    {
        return LibraryLoader.create(PosixCalls.class).failImmediately().load("c");
    }
}
