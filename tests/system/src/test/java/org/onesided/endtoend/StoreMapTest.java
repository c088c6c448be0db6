package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.types.PutOptions;
import org.onesided.client.typed.Codecs;
import org.onesided.client.typed.TypedStore;

class StoreMapTest
{
    private final TestStore store = new TestStore();
    private final StoreClient client = store.client();
    private final TypedStore<String, Long> view =
        TypedStore.of(client, Codecs.utf8(), Codecs.decimal()).withPrefix("n:");
    private final ConcurrentMap<String, Long> map = view.asMap();

    @AfterEach
    void stop()
    {
        client.close();
        store.close();
    }

    /** Each random call gives what it gives on a map in the heap, and leaves the same pairs. */
    @Test
    void shouldDoWhatAMapInTheHeapDoes()
    {
        final Map<String, Long> model = new HashMap<>();
        final Random random = new Random(7);
        client.put("other", "not of this map");
        for (int i = 0; i < 3000; i++)
        {
            final int kind = random.nextInt(16);
            final String key = "key-" + random.nextInt(8);
            final long old = random.nextInt(3);
            final long value = random.nextInt(3);
            assertEquals(call(model, kind, key, old, value), call(map, kind, key, old, value), "call " + kind);
            if (i % 100 == 0)
            {
                assertEquals(model, map);
                assertEquals(model, new HashMap<>(map));
                assertEquals(model.hashCode(), map.hashCode());
            }
        }
        assertEquals("not of this map", client.get("other"));
    }

    private static Object call(
        final Map<String, Long> map, final int kind, final String key, final long old, final long value)
    {
        return switch (kind)
        {
            case 0 -> map.get(key);
            case 1 -> map.put(key, value);
            case 2 -> map.remove(key);
            case 3 -> map.putIfAbsent(key, value);
            case 4 -> map.remove(key, old);
            case 5 -> map.replace(key, value);
            case 6 -> map.replace(key, old, value);
            case 7 -> map.compute(key, (same, before) -> before == null ? Long.valueOf(value) : unless(old, before, 7));
            case 8 -> map.computeIfAbsent(key, (same) -> unless(0, old, value));
            case 9 -> map.computeIfPresent(key, (same, before) -> unless(old, before, value));
            case 10 -> map.merge(key, value, (before, more) -> unless(3, before + more, before + more));
            case 11 -> map.containsKey(key) + " " + map.containsValue(value) + " " + map.getOrDefault(key, -1L);
            case 12 -> map.size() + " " + map.isEmpty();
            case 13 -> map.entrySet().remove(Map.entry(key, old));
            case 14 -> map.keySet().remove(key) + " " + map.values().contains(value);
            default ->
            {
                map.putAll(Map.of(key, value, key + "x", old));
                yield map.entrySet().contains(Map.entry(key, value));
            }
        };
    }

    private static Long unless(final long unwanted, final long number, final long value)
    {
        return number == unwanted ? null : Long.valueOf(value);
    }

    /** Updates of other threads, by several ways, are never lost. */
    @Test
    void shouldChangeAtomically()
    {
        final int threads = 4;
        final int rounds = 100;
        final List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < threads; i++)
        {
            ends.add(CompletableFuture.runAsync(() ->
            {
                for (int round = 0; round < rounds; round++)
                {
                    map.merge("sum", 1L, Long::sum);
                    map.compute("sum", (same, before) -> before == null ? 1L : before + 1);
                    Long before = map.putIfAbsent("sum", 1L);
                    while (before != null && !map.replace("sum", before, before + 1))
                    {
                        before = map.get("sum");
                    }
                }
            }));
        }
        ends.forEach((end) -> end.orTimeout(120, TimeUnit.SECONDS).join());

        assertEquals(3L * threads * rounds, map.get("sum"));
    }

    @Test
    void shouldWriteThroughItsViews()
    {
        map.putAll(Map.of("a", 1L, "b", 2L, "c", 3L));
        map.entrySet().forEach((entry) -> entry.setValue(entry.getValue() * 10));
        assertEquals(Map.of("a", 10L, "b", 20L, "c", 30L), map);
        assertEquals("10", client.get("n:a"));

        map.replaceAll((key, value) -> value + 1);
        map.keySet().retainAll(Set.of("a", "b"));
        assertEquals(Map.of("a", 11L, "b", 21L), map);
        final Iterator<Map.Entry<String, Long>> entries = map.entrySet().iterator();
        assertThrows(IllegalStateException.class, entries::remove);
        entries.next();
        entries.remove();
        assertThrows(IllegalStateException.class, entries::remove);
        assertEquals(1, map.size());

        client.put("other", "stays");
        map.clear();
        assertTrue(map.isEmpty());
        assertEquals("stays", client.get("other"));
    }

    @Test
    void shouldTakeNoNullsAndNoOtherKeys()
    {
        assertThrows(NullPointerException.class, () -> map.put("a", null));
        assertThrows(NullPointerException.class, () -> map.get(null));
        assertThrows(NullPointerException.class, () -> map.putIfAbsent("a", null));
        assertThrows(NullPointerException.class, () -> map.merge("a", null, Long::sum));
        assertThrows(ClassCastException.class, () -> map.get(1));
        assertThrows(NullPointerException.class, () -> map.merge("a", 1L, null));
        assertThrows(NullPointerException.class, () -> map.computeIfAbsent("a", null));
        assertThrows(NullPointerException.class, () -> map.computeIfPresent("a", null));
        assertThrows(NullPointerException.class, () -> map.compute("a", null));
        assertFalse(map.remove("a", null));
        assertNull(map.get("a"));
        assertTrue(map.toString().startsWith("StoreMap[TypedStore[server=127.0.0.1:"), map.toString());
        assertTrue(map.toString().endsWith(", prefix=n:]]"), map.toString());
    }

    @Test
    void shouldChangeNothingWhereTheValueCannotBeDecoded()
    {
        client.put("n:a", "abc");
        assertThrows(NumberFormatException.class, () -> map.remove("a"));
        assertThrows(NumberFormatException.class, () -> map.put("a", 1L));
        assertThrows(NumberFormatException.class, () -> map.putIfAbsent("a", 1L));
        assertEquals("abc", client.get("n:a"));
        for (final String other : new String[]{"+5", "007", "-0", "\u0663"})
        {
            client.put("n:a", other);
            assertThrows(NumberFormatException.class, () -> map.get("a"));
        }
    }

    @Test
    void shouldCompareArraysByTheirBytes()
    {
        final ConcurrentMap<String, byte[]> arrays =
            TypedStore.of(client, Codecs.utf8(), Codecs.bytes()).withPrefix("a:").asMap();
        arrays.put("x", new byte[]{1});

        assertTrue(arrays.containsValue(new byte[]{1}));
        assertTrue(arrays.entrySet().contains(Map.entry("x", new byte[]{1})));
        assertFalse(arrays.replace("x", new byte[]{2}, new byte[]{3}));
        assertTrue(arrays.replace("x", new byte[]{1}, new byte[]{2}));
        assertFalse(arrays.remove("x", new byte[]{1}));
        assertFalse(arrays.remove("x", "text"));
        assertTrue(arrays.remove("x", new byte[]{2}));
        assertTrue(arrays.isEmpty());
    }

    @Test
    void shouldKeepTheTimeOfAKey()
    {
        view.put("a", 1L, PutOptions.expiringAfter(Duration.ofHours(1)));
        map.put("a", 2L);
        map.entrySet().iterator().next().setValue(3L);
        assertTrue(view.ttl("a").expires());
        assertEquals(3L, view.get("a"));
        view.put("a", 3L);
        assertFalse(view.ttl("a").expires());
    }

    @Test
    void shouldLetWhatAFunctionThrowsPass()
    {
        map.put("a", 1L);
        final ArithmeticException failure = assertThrows(ArithmeticException.class, () ->
            map.compute("a", (key, before) ->
            {
                throw new ArithmeticException("no");
            }));
        assertEquals("no", failure.getMessage());
        assertEquals(1L, map.get("a"));
    }
}
