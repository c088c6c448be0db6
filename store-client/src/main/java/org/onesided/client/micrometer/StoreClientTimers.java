package org.onesided.client.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long operations take, where an application wraps them. A lookup by READ takes less than a microsecond on
 * one host, of which reading the clock twice would be a tenth, so a client does not measure by itself: whoever wants
 * latencies has them where they are worth it.
 *
 * <pre>
 * StoreClientTimers timers = new StoreClientTimers(registry);
 * String value = timers.get(() -&gt; store.get("greeting"));
 * timers.put(() -&gt; store.put("greeting", "hello"));
 *
 * onesided.client.operations {operation=get|put|delete, result=done|failed}
 * </pre>
 *
 * <p>Which percentiles are told is for the registry to say (a {@code MeterFilter}). Thread-safe.
 */
public final class StoreClientTimers
{
    private static final String NAME = "onesided.client.operations";

    private final Pair gets;
    private final Pair puts;
    private final Pair deletes;

    /**
     * Without tags beyond those above.
     *
     * @param registry of the timers.
     */
    public StoreClientTimers(final MeterRegistry registry)
    {
        this(registry, List.of());
    }

    /**
     * @param registry of the timers.
     * @param tags     of all timers, to tell several clients apart.
     */
    public StoreClientTimers(final MeterRegistry registry, final Iterable<Tag> tags)
    {
        gets = new Pair(registry, tags, "get");
        puts = new Pair(registry, tags, "put");
        deletes = new Pair(registry, tags, "delete");
    }

    /**
     * Measures a lookup, of one key or many.
     *
     * @param lookup to call.
     * @param <T>    type of what it finds.
     * @return what it returned; what it throws is thrown on.
     */
    public <T extends @Nullable Object> T get(final Supplier<T> lookup)
    {
        return gets.measure(lookup);
    }

    /**
     * Measures a put, of one pair or many.
     *
     * @param put to call; what it throws is thrown on.
     */
    public void put(final Runnable put)
    {
        puts.measure(() ->
        {
            put.run();
            return null;
        });
    }

    /**
     * Measures a delete.
     *
     * @param delete to call.
     * @param <T>    type of its result.
     * @return what it returned; what it throws is thrown on.
     */
    public <T extends @Nullable Object> T delete(final Supplier<T> delete)
    {
        return deletes.measure(delete);
    }

    /** Timers of one kind of operation. Failed ones, most often at a deadline, have their own timer. */
    private static final class Pair
    {
        private final Timer done;
        private final Timer failed;

        Pair(final MeterRegistry registry, final Iterable<Tag> tags, final String operation)
        {
            done = timer(registry, tags, operation, "done");
            failed = timer(registry, tags, operation, "failed");
        }

        private static Timer timer(
            final MeterRegistry registry, final Iterable<Tag> tags, final String operation, final String result)
        {
            return Timer.builder(NAME)
                .description("how long operations took")
                .tags(Tags.of(tags).and("operation", operation, "result", result))
                .register(registry);
        }

        <T> T measure(final Supplier<T> call)
        {
            Timer timer = failed;
            final long beforeNs = System.nanoTime();
            try
            {
                final T result = call.get();
                timer = done;
                return result;
            }
            finally
            {
                timer.record(System.nanoTime() - beforeNs, TimeUnit.NANOSECONDS);
            }
        }
    }
}
