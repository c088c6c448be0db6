package com.example.sample;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.micrometer.StoreClientMetrics;

/**
 * Keeps the populations of some cities in a store, and looks them up. Its argument is the server's address.
 */
public final class Sample {
    private Sample() {
    }

    public static void main(final String[] args) {
        final MeterRegistry registry = new SimpleMeterRegistry();
        try (StoreClient store = StoreClient.builder().server(args[0]).build()) {
            new StoreClientMetrics(store).bindTo(registry);
            run(store);
            System.out.println("hits: " + (long)registry.get("onesided.client.gets").tag("result", "hit")
                .functionCounter().count());
            System.out.println("puts: " + (long)registry.get("onesided.client.puts").functionCounter().count());
        }
    }

    static void run(final StoreClient store) {
        final Map<String, String> cities = new LinkedHashMap<>();
        cities.put("Lima", "10,092,000");
        cities.put("Oslo", "709,037");
        cities.put("Perth", "2,309,338");
        store.putAll(cities);

        for (final String city : cities.keySet()) {
            System.out.println(city + ": " + store.get(city));
        }

        // All of them under way together.
        final AsyncStore async = store.async();
        CompletableFuture.allOf(
            cities.keySet().stream().map(async::delete).toArray(CompletableFuture[]::new)).join();
        System.out.println("Lima is there: " + store.contains("Lima"));
    }
}
