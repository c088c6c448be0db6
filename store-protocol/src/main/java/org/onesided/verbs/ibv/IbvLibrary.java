package org.onesided.verbs.ibv;

import com.kenai.jffi.Library;
import java.util.function.IntSupplier;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.NativeCalls;

/**
 * {@code libibverbs.so.1}, loaded at its first use. Thread-safe.
 */
final class IbvLibrary
{
    /** The name of the kind of device. */
    static final String KIND = "ibv";
    static final String NAME = "libibverbs.so.1";

    /** Newest function that is needed; rdma-core has it since version 28, of 2020. */
    private static final String NEWEST_FUNCTION = "ibv_reg_mr_iova2";

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
            checkVersion(name, NEWEST_FUNCTION);
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
     * @param name     of the library, which is loaded.
     * @param function that it must have.
     * @throws VerbsException with {@code ENODEV} if it does not.
     */
    static void checkVersion(final String name, final String function)
    {
        final Library library = Library.getCachedInstance(name, Library.LAZY);
        if (library == null || library.getSymbolAddress(function) == 0)
        {
            throw new VerbsException("get_device_list", Errno.ENODEV,
                "the verbs library is too old, install rdma-core 28 or newer: library=" + name +
                    " function=" + function);
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
