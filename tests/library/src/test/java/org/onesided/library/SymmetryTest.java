package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreOperations;

/**
 * Compares the calls that wait with those that give futures: the same names, parameters and results.
 */
class SymmetryTest
{
    /** Take long or belong to the client, so that there are no futures for them. */
    private static final Set<String> OF_THE_WHOLE_STORE = Set.of(
        "scan", "scanEntries", "scanWhile", "statistics", "snapshot", "clientStatistics", "reportedStatistics",
        "server");

    /** Fill what the caller has; futures have results instead, which are below. */
    private static final Set<String> FILLING = Set.of(
        "get(ByteBuffer, ByteBuffer) int",
        "get(DirectBuffer, int, int, MutableDirectBuffer, int) int",
        "getAll(List<byte[]>, ValueConsumer) void",
        "getUsing(Bytes<?>, Bytes<?>) boolean",
        "getVersioned(DirectBuffer, int, int, MutableDirectBuffer, int, MutableVersion) int",
        "put(DirectBuffer, int, int, DirectBuffer, int, int, PutOptions, MutableVersion) boolean");

    private static final Set<String> INSTEAD_OF_FILLING = Set.of(
        "get(ByteBuffer) CompletableFuture<byte[]>",
        "get(DirectBuffer, int, int) CompletableFuture<byte[]>",
        "get(Bytes<?>) CompletableFuture<byte[]>",
        "getVersioned(DirectBuffer, int, int) CompletableFuture<VersionedValue<byte[]>>");

    private static final Map<String, String> BOXES = Map.of(
        "void", "Void", "boolean", "Boolean", "int", "Integer", "long", "Long");

    @Test
    void shouldHaveTheSameCallsWithAndWithoutWaiting()
    {
        final Set<String> waiting = new TreeSet<>();
        final Set<String> wanted = new TreeSet<>();
        methods(StoreOperations.class).forEach((signature, result) ->
        {
            if (!OF_THE_WHOLE_STORE.contains(signature.substring(0, signature.indexOf('('))))
            {
                waiting.add(signature + ' ' + result);
                if (signature.equals("within(Duration)"))
                {
                    wanted.add("within(Duration) AsyncStore");
                }
                else if (!FILLING.contains(signature + ' ' + result))
                {
                    wanted.add(signature + " CompletableFuture<" + BOXES.getOrDefault(result, result) + '>');
                }
            }
        });
        wanted.addAll(INSTEAD_OF_FILLING);
        final Set<String> there = new TreeSet<>();
        methods(AsyncStore.class).forEach((signature, result) -> there.add(signature + ' ' + result));

        assertEquals(String.join("\n", wanted), String.join("\n", there));
        final Set<String> gone = new TreeSet<>(FILLING);
        gone.removeAll(waiting);
        assertEquals(Set.of(), gone, "exceptions that are no methods any more");
    }

    /** What takes a key does so as bytes and as text; the common calls also in each kind of buffer. */
    @Test
    void shouldTakeKeysOfEachKind()
    {
        final Map<String, Set<String>> kinds = new TreeMap<>();
        methods(StoreOperations.class).keySet().forEach(signature ->
        {
            final String first = signature.replaceAll(".*?\\(([^,)]*).*", "$1");
            kinds.computeIfAbsent(signature.substring(0, signature.indexOf('(')), name -> new TreeSet<>()).add(first);
        });
        kinds.keySet().removeIf(name -> OF_THE_WHOLE_STORE.contains(name) || name.equals("within"));
        kinds.forEach((name, firsts) ->
        {
            final Set<String> wanted = new TreeSet<>(switch (name)
            {
                case "contains", "delete", "put" ->
                    Set.of("byte[]", "String", "ByteBuffer", "DirectBuffer", "Bytes<?>");
                case "get" -> Set.of("byte[]", "String", "ByteBuffer", "DirectBuffer");
                case "getUsing" -> Set.of("Bytes<?>");
                case "getAll", "deleteAll" -> Set.of("List<byte[]>", "Set<String>");
                case "putAll" -> Set.of("List<byte[]>", "Map<String");
                // By functions of arrays or text, or a case of touch.
                case "update", "getAndPut", "getAndDelete", "persist" -> Set.of("byte[]", "String");
                default -> Set.of("byte[]", "String", "DirectBuffer");
            });
            assertEquals(wanted, firsts, name);
        });
    }

    private static Map<String, String> methods(final Class<?> type)
    {
        final Map<String, String> methods = new TreeMap<>();
        for (final Method method : type.getMethods())
        {
            if (!method.isBridge() && !Modifier.isStatic(method.getModifiers()))
            {
                methods.put(method.getName() + Arrays.stream(method.getGenericParameterTypes())
                    .map(parameter -> simple(parameter.getTypeName())).collect(Collectors.joining(", ", "(", ")")),
                    simple(method.getGenericReturnType().getTypeName()));
            }
        }
        return methods;
    }

    private static String simple(final String type)
    {
        return type.replaceAll("[a-z]+[a-zA-Z0-9]*\\.", "");
    }
}
