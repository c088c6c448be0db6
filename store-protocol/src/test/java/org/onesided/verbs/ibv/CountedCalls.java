package org.onesided.verbs.ibv;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;

/**
 * Control verbs that go on to a library, but one of them fails without having done anything; and what they make is
 * counted until it is destroyed.
 */
final class CountedCalls
{
    private static final Map<String, String> MAKERS = Map.of(
        "ibv_open_device", "ibv_close_device",
        "ibv_alloc_pd", "ibv_dealloc_pd",
        "ibv_reg_mr_iova2", "ibv_dereg_mr",
        "ibv_create_comp_channel", "ibv_destroy_comp_channel",
        "ibv_create_cq", "ibv_destroy_cq",
        "ibv_create_srq", "ibv_destroy_srq",
        "ibv_create_qp", "ibv_destroy_qp",
        "ibv_get_device_list", "ibv_free_device_list");

    private final IbvLibrary real;
    private final int failingCall;
    private final int errno;
    private final Map<String, Integer> open = new TreeMap<>();
    private int calls;
    private String failed;
    private boolean failedLast;

    /**
     * @param real        library.
     * @param failingCall which call fails, from 1; those that destroy something are not counted.
     * @param errno       with which it fails.
     */
    CountedCalls(final IbvLibrary real, final int failingCall, final int errno)
    {
        this.real = real;
        this.failingCall = failingCall;
        this.errno = errno;
    }

    IbvLibrary library()
    {
        final IbvCalls calls = (IbvCalls)Proxy.newProxyInstance(
            CountedCalls.class.getClassLoader(),
            new Class<?>[]{ IbvCalls.class },
            (proxy, method, arguments) -> call(method, arguments));
        return new IbvLibrary(calls, () -> failedLast ? errno : real.errno());
    }

    /**
     * @return the function that failed, or null if there were not so many calls.
     */
    String failed()
    {
        return failed;
    }

    /**
     * @return what was made and not destroyed: how many by the function that destroys it.
     */
    Map<String, Integer> open()
    {
        return open;
    }

    private synchronized Object call(final Method method, final Object[] arguments) throws Throwable
    {
        final String name = method.getName();
        failedLast = false;
        if (MAKERS.containsValue(name))
        {
            open.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1);
        }
        else if (!name.equals("ibv_get_device_name") && !name.equals("ibv_ack_cq_events") && ++calls == failingCall)
        {
            failed = name;
            failedLast = true;
            return failure(method.getReturnType());
        }
        final Object result;
        try
        {
            result = method.invoke(real.calls(), arguments);
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause();
        }
        if (MAKERS.containsKey(name) && (Long)result != 0)
        {
            open.merge(MAKERS.get(name), 1, Integer::sum);
        }
        return result;
    }

    private Object failure(final Class<?> type)
    {
        if (type == int.class)
        {
            return errno;
        }
        return type == long.class ? 0L : null;
    }
}
