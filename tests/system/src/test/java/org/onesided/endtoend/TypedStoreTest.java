package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.typed.Codec;
import org.onesided.client.typed.Codecs;
import org.onesided.client.typed.JsonCodec;
import org.onesided.client.typed.TypedStore;

class TypedStoreTest
{
    private final TestStore store = new TestStore();
    private final StoreClient client = store.client();
    private final TypedStore<String, User> users =
        TypedStore.of(client, Codecs.utf8(), JsonCodec.of(User.class)).withPrefix("user:");
    private final User ada = new User("Ada", 1815);

    @AfterEach
    void stop()
    {
        client.close();
        store.close();
    }

    @Test
    void shouldKeepObjectsUnderTheirPrefix()
    {
        users.put("ada", ada);

        assertEquals(ada, users.get("ada"));
        assertEquals("{\"name\":\"Ada\",\"born\":1815}", client.get("user:ada"));
        assertTrue(users.contains("ada"));
        assertTrue(users.delete("ada"));
        assertFalse(users.delete("ada"));
        assertNull(users.get("ada"));
    }

    @Test
    void shouldPutAndGetManyAtOnce()
    {
        final Map<String, User> pairs = Map.of("ada", ada, "alan", new User("Alan", 1912));
        users.putAll(pairs);
        users.putAll(Map.of());

        assertEquals(pairs, users.getAll(Set.of("ada", "alan", "nobody")));
        assertEquals(List.of("alan", "ada"), List.copyOf(users.getAll(List.of("alan", "ada")).keySet()));
        assertEquals(Map.of(), users.getAll(List.of()));
    }

    @Test
    void shouldPutUnderConditionsAndForATime()
    {
        assertTrue(users.put("ada", ada, PutOptions.ifAbsent()).applied());
        assertFalse(users.put("ada", ada, PutOptions.ifAbsent()).applied());
        final VersionedValue<User> found = users.getVersioned("ada");
        assertEquals(ada, found.value());
        assertNull(users.getVersioned("nobody"));
        users.put("ada", new User("Ada", 0), PutOptions.expiringAfter(Duration.ofHours(1)));
        assertTrue(users.ttl("ada").expires());
        assertTrue(users.persist("ada"));
        assertTrue(users.touch("ada", Duration.ofHours(2)));
        assertFalse(users.touch("nobody", Duration.ofHours(2)));
        assertFalse(users.deleteIfVersion("ada", found.version()).applied());
        assertTrue(users.deleteIfVersion("ada", users.getVersioned("ada").version()).applied());
    }

    @Test
    void shouldUpdateInOneStep()
    {
        assertNull(users.update("ada", (before) -> null));
        assertEquals(ada, users.update("ada", (before) -> before == null ? ada : null));
        assertEquals(1816, users.update("ada", (before) -> new User(before.name(), before.born() + 1)).born());
        assertEquals(1816, users.getAndPut("ada", ada).born());
        assertEquals(ada, users.getAndDelete("ada"));
        assertNull(users.getAndDelete("ada"));
        assertNull(users.getAndPut("ada", ada));
        assertNull(users.update("ada", (before) -> null));
        assertFalse(users.contains("ada"));
    }

    @Test
    void shouldVisitItsOwnPairsOnly()
    {
        client.put("other", "text");
        client.put("user", "text");
        users.put("ada", ada);
        users.withPrefix("old:").put("ada", new User("Ada", 1));
        final Map<String, User> found = new HashMap<>();

        users.withPrefix("old:").scan(found::put);
        assertEquals(Map.of("ada", new User("Ada", 1)), found);
        found.clear();
        users.scan(found::put);
        assertEquals(Set.of("ada", "old:ada"), found.keySet());
        found.clear();
        assertFalse(users.scanWhile((key, user) ->
        {
            found.put(key, user);
            return false;
        }));
        assertEquals(1, found.size());
        assertTrue(users.scanWhile((key, user) -> true));
    }

    @Test
    void shouldLetCountersBeNumbers()
    {
        final TypedStore<String, Long> numbers = TypedStore.of(client, Codecs.utf8(), Codecs.decimal());
        numbers.put("visits", 41L);
        client.increment("visits", 1);

        assertEquals(42L, numbers.get("visits"));
        client.put("visits", "many");
        assertThrows(NumberFormatException.class, () -> numbers.get("visits"));
    }

    @Test
    void shouldTakeBytesAndOwnCodecs()
    {
        final Codec<Integer> ints = Codecs.of(
            (value) -> new byte[]{(byte)(value >> 8), value.byteValue()}, (bytes) -> bytes[0] << 8 | bytes[1]);
        final TypedStore<Integer, byte[]> view = TypedStore.of(client, ints, Codecs.bytes());
        view.put(0x1234, new byte[]{1, 2});

        assertArrayEquals(new byte[]{1, 2}, view.get(0x1234));
        assertArrayEquals(new byte[]{1, 2}, client.get(new byte[]{0x12, 0x34}));
    }

    @Test
    void shouldTakeTypesWithParametersAsJson()
    {
        final JsonMapper mapper = new JsonMapper();
        final TypedStore<String, List<User>> teams = TypedStore.of(client, Codecs.utf8(),
            JsonCodec.of(mapper, mapper.getTypeFactory().constructCollectionType(List.class, User.class)));
        teams.put("first", List.of(ada));

        assertEquals(List.of(ada), teams.get("first"));
        // Jackson gives lists of another class.
        assertTrue(teams.asMap().containsValue(List.of(ada)));
        assertTrue(teams.asMap().replace("first", List.of(ada), List.of()));
        assertTrue(teams.asMap().remove("first", List.of()));
    }

    @Test
    void shouldRefuseWhatIsNoneOfItsObjects()
    {
        client.put("user:broken", "{");
        client.put("user:null", "null");
        client.put("user:other", "{\"name\":\"X\",\"height\":2}");

        assertThrows(UncheckedIOException.class, () -> users.get("broken"));
        assertThrows(UncheckedIOException.class, () -> users.get("null"));
        assertThrows(UncheckedIOException.class, () -> users.get("other"));
        client.put("user:more", "{\"name\":\"X\",\"born\":2} and more");
        final UncheckedIOException more = assertThrows(UncheckedIOException.class, () -> users.get("more"));
        assertTrue(more.getMessage().startsWith("not JSON of " + User.class.getName()), more.getMessage());
        assertThrows(NullPointerException.class, () ->
            TypedStore.of(client, Codecs.utf8(), Codecs.<String>of((value) -> null, String::new)).put("a", "b"));
        assertThrows(IllegalArgumentException.class, () -> users.get("\uD800"));
        assertThrows(NullPointerException.class, () -> users.get(null));
        assertThrows(NullPointerException.class, () -> users.put("ada", null));
        client.put(new byte[]{'b'}, new byte[]{(byte)0xFF});
        assertThrows(IllegalArgumentException.class, () ->
            TypedStore.of(client, Codecs.utf8(), Codecs.utf8()).get("b"));
    }

    /**
     * A record, which Jackson knows.
     *
     * @param name of somebody.
     * @param born year of birth.
     */
    public record User(String name, int born)
    {
    }
}
