package org.onesided.verbs.ibv;

import java.util.function.IntSupplier;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.NativeCalls;

/**
 * {@code libibverbs.so.1}, loaded when it is first needed. Thread-safe.
 */
final class IbvLibrary
{
    static final String NAME = "libibverbs.so.1";

    private static IbvLibrary loaded;

    private final IbvCalls calls;
    private final IntSupplier errno;

    /**
     * @param calls the functions.
     * @param errno the errno of this thread's last call.
     */
    IbvLibrary(final IbvCalls calls, final IntSupplier errno)
    {
        this.calls = calls;
        this.errno = errno;
    }

    /**
     * @return the library; the same every time.
     * @throws VerbsException with {@code ENODEV} if this machine does not have it. It is looked for again next time.
     */
    static synchronized IbvLibrary load()
    {
        if (loaded == null)
        {
            loaded = load(NAME);
        }
        return loaded;
    }

    /**
     * @param name of the library.
     * @return the library, loaded.
     * @throws VerbsException with {@code ENODEV} if this machine does not have it.
     */
    static IbvLibrary load(final String name)
    {
        NativeCalls.check();
        try
        {
            final IbvCalls calls = LibraryLoader.create(IbvCalls.class).failImmediately().load(name);
            final Runtime runtime = Runtime.getRuntime(calls);
            return new IbvLibrary(calls, runtime::getLastError);
        }
        catch (final LinkageError ex)
        {
            throw new VerbsException("get_device_list", Errno.ENODEV,
                "the verbs library is missing, install the package libibverbs1 (Red Hat: libibverbs), and " +
                    "ibverbs-providers for the drivers: library=" + name, ex);
        }
    }

    /**
     * @return the functions.
     */
    IbvCalls calls()
    {
        return calls;
    }

    /**
     * @return the errno of this thread's last call; meaningful only if that failed in a way that sets it.
     */
    int errno()
    {
        return errno.getAsInt();
    }
}
