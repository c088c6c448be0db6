package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.micrometer.StoreClientObservations;
import org.onesided.junit.OnesidedServer;

/**
 * Operations as observations of Micrometer.
 */
@OnesidedServer
class ObservationsTest
{
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<Observation.Context> stopped = new ArrayList<>();

    ObservationsTest()
    {
        registry.observationConfig().observationHandler(new ObservationHandler<>()
        {
            @Override
            public void onStop(final Observation.Context context)
            {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(final Observation.Context context)
            {
                return true;
            }
        });
    }

    @Test
    void shouldObserveEachOperation(final StoreClient store)
    {
        final StoreClientObservations observations = new StoreClientObservations(registry, store, 1);
        assertNull(observations.observe("get", () ->
        {
            assertNotNull(registry.getCurrentObservation());
            return store.get("absent");
        }));
        assertNull(registry.getCurrentObservation());
        final StoreLimitException failure = assertThrows(StoreLimitException.class, () ->
            observations.observe("delete", () -> store.delete("")));

        assertEquals(List.of("onesided get", "onesided delete"),
            stopped.stream().map(Observation.Context::getContextualName).toList());
        assertEquals("get", value(0, "operation"));
        assertEquals(store.server().address(), value(0, "server"));
        assertEquals("none", value(0, "write.fate"));
        assertNull(stopped.get(0).getError());
        assertEquals("not_applied", value(1, "write.fate"));
        assertSame(failure, stopped.get(1).getError());
    }

    @Test
    void shouldObserveOneOfMany(final StoreClient store)
    {
        final StoreClientObservations observations = new StoreClientObservations(registry, store, 10);
        for (int i = 0; i < 10_000; i++)
        {
            assertEquals("done", observations.observe("get", () -> "done"));
        }
        // 20 standard deviations on either side.
        assertTrue(stopped.size() > 400 && stopped.size() < 1_600, "observed: " + stopped.size());
        assertThrows(IllegalArgumentException.class, () -> new StoreClientObservations(registry, store, 0));
    }

    private String value(final int index, final String key)
    {
        return stopped.get(index).getLowCardinalityKeyValue(key).getValue();
    }
}
