package org.onesided.verbs.ibv;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Type;
import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Calls of the functions that C reaches inline through {@code ibv_context}: a few nanoseconds each, without allocating
 * and without saving errno, which they do not set. All of them return an {@code int}, whose upper half is not defined.
 */
final class DirectCalls
{
    private static final Invoker INVOKER = Invoker.getInstance();
    private static final CallContext TWO = context(2);
    private static final CallContext THREE = context(3);

    private DirectCalls()
    {
    }

    /**
     * @param context address of an {@code ibv_context}.
     * @param offset  of the function's place, see {@link ContextDescriptor}.
     * @return address of the function.
     */
    static long function(final long context, final int offset)
    {
        return UnsafeApi.getLong(context + offset);
    }

    /**
     * @param function to call.
     * @param first    argument.
     * @param second   argument.
     * @return what it returns.
     */
    static int call(final long function, final long first, final long second)
    {
        return (int)INVOKER.invokeL2NoErrno(TWO, function, first, second);
    }

    /**
     * @param function to call.
     * @param first    argument.
     * @param second   argument.
     * @param third    argument.
     * @return what it returns.
     */
    static int call(final long function, final long first, final long second, final long third)
    {
        return (int)INVOKER.invokeL3NoErrno(THREE, function, first, second, third);
    }

    private static CallContext context(final int arguments)
    {
        final Type[] types = new Type[arguments];
        Arrays.fill(types, Type.SINT64);
        return CallContext.getCallContext(Type.SINT64, types, CallingConvention.DEFAULT, false);
    }
}
