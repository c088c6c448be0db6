package org.onesided.conformance;

import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.onesided.verbs.Devices;
import org.opentest4j.TestAbortedException;

/**
 * Turns the failure of a rule listed in {@link Departures} into a skip that shows the reason, and its success into a
 * failure unless it comes at times.
 */
final class DepartureExtension implements InvocationInterceptor
{
    @Override
    public void interceptTestMethod(
        final Invocation<Void> invocation,
        final ReflectiveInvocationContext<Method> method,
        final ExtensionContext context) throws Throwable
    {
        final String device = ((Conformance)method.getTarget().orElseThrow()).device;
        final String rule = method.getTargetClass().getSimpleName() + "." + method.getExecutable().getName();
        final Optional<Departure> departure = Departures.find(Devices.find(device).name(), rule);
        if (departure.isEmpty())
        {
            invocation.proceed();
            return;
        }

        final String reason = device + " departs from " + rule + ": " + departure.get().reason();
        if (departure.get().fails() == Departure.Fails.SLOWLY)
        {
            invocation.skip();
            System.out.println(reason);
            throw new TestAbortedException(reason);
        }
        try
        {
            invocation.proceed();
        }
        catch (final TestAbortedException ex)
        {
            throw ex;
        }
        catch (final AssertionError | RuntimeException ex)
        {
            System.out.println(reason);
            throw new TestAbortedException(reason, ex);
        }
        if (departure.get().fails() == Departure.Fails.AT_TIMES)
        {
            return;
        }
        throw new AssertionError("departs no more, take it off the list: device=" + device + " rule=" + rule);
    }
}
