package org.onesided.client.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onesided.client.StoreOperations;
import org.onesided.client.exceptions.StoreException;

/**
 * Observes some of the operations that an application wraps, so that they are spans of a trace where the application's
 * registry has a tracer, such as OpenTelemetry's. An observation costs more than a lookup by READ, so only one of many
 * is made; the others cost a random number, and allocate nothing.
 *
 * <pre>
 * StoreClientObservations observations = new StoreClientObservations(registry, store, 100);
 * String value = observations.observe("get", () -&gt; store.get("greeting"));
 *
 * onesided.client.operation {operation=get, server=HOST:PORT, write.fate=none}
 * </pre>
 *
 * <p>A failure is the error of its observation. Thread-safe.
 */
public final class StoreClientObservations
{
    private static final String NAME = "onesided.client.operation";
    private static final String NONE = "none";

    private final ObservationRegistry registry;
    private final StoreOperations store;
    private final int oneOf;

    /**
     * @param registry of the observations.
     * @param store    whose operations are observed, a client or a session.
     * @param oneOf    how many operations have one observation, from 1 for each.
     * @throws IllegalArgumentException if that is less than 1.
     */
    public StoreClientObservations(final ObservationRegistry registry, final StoreOperations store, final int oneOf)
    {
        if (oneOf < 1)
        {
            throw new IllegalArgumentException("one of how many to observe must be positive: oneOf=" + oneOf);
        }
        this.registry = Objects.requireNonNull(registry, "registry");
        this.store = Objects.requireNonNull(store, "store");
        this.oneOf = oneOf;
    }

    /**
     * Carries an operation out, and perhaps observes it.
     *
     * @param operation its name, one of few, such as {@code get}.
     * @param call      carries it out, once, in the calling thread.
     * @param <T>       type of what it returns.
     * @return what it returned; what it throws is thrown on.
     */
    public <T extends @Nullable Object> T observe(final String operation, final Supplier<T> call)
    {
        if (registry.isNoop() || oneOf > 1 && ThreadLocalRandom.current().nextInt(oneOf) != 0)
        {
            return call.get();
        }
        final Observation observation = Observation.createNotStarted(NAME, registry)
            .contextualName("onesided " + operation)
            .lowCardinalityKeyValue("operation", operation)
            .lowCardinalityKeyValue("server", store.server().address())
            .start();
        final Observation.Scope scope = observation.openScope();
        String fate = NONE;
        try
        {
            return call.get();
        }
        catch (final RuntimeException | Error e)
        {
            if (e instanceof final StoreException failure)
            {
                fate = failure.writeFate().name().toLowerCase(Locale.ROOT);
            }
            observation.error(e);
            throw e;
        }
        finally
        {
            scope.close();
            observation.lowCardinalityKeyValue("write.fate", fate).stop();
        }
    }
}
