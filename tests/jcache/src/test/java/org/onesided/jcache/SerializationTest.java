package org.onesided.jcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;
import org.onesided.client.jcache.CodecFactory;
import org.onesided.client.typed.Codec;
import org.onesided.client.typed.Codecs;

/**
 * How objects become bytes, and which bytes become objects.
 */
class SerializationTest extends CacheFixture
{
    private static final Map<String, String> BOOKS_ALLOWED =
        Map.of("onesided.serial-filter", "org.onesided.jcache.SerializationTest$Book");

    private Cache<Object, Object> cache(final Map<String, String> options)
    {
        return managers().open(options).createCache("objects", new MutableConfiguration<>());
    }

    @Test
    void shouldKeepValuesOfTheJdk()
    {
        final Cache<Object, Object> cache = cache(Map.of());
        final List<Object> value = new ArrayList<>(List.of(1, "text", Map.of("a", Instant.EPOCH), List.of(2L)));
        value.add(null);
        cache.put(7L, value);

        assertEquals(value, cache.get(7L));
        assertNotSame(cache.get(7L), cache.get(7L));
        cache.put("days", EnumSet.of(DayOfWeek.MONDAY));
        assertThrows(CacheException.class, () -> cache.put("units", EnumSet.of(TimeUnit.DAYS)), "not among the usual");
        assertEquals(EnumSet.of(DayOfWeek.MONDAY), cache.get("days"));
        cache.put("bytes", new byte[]{1, 2});
        assertArrayEquals(new byte[]{1, 2}, (byte[])cache.get("bytes"));
    }

    @Test
    void shouldRefuseToWriteAClassThatNobodyAllows()
    {
        final Cache<Object, Object> cache = cache(Map.of());
        final String message =
            assertThrows(CacheException.class, () -> cache.put("a", new Book("b", "b"))).getMessage();

        assertTrue(message.contains("onesided.serial-filter"), message);
        assertTrue(message.endsWith("class=" + Book.class.getName()), message);
        assertFalse(cache.containsKey("a"));
    }

    @Test
    void shouldKeepClassesThatTheOptionsAllow()
    {
        final Cache<Object, Object> cache = cache(BOOKS_ALLOWED);
        cache.put("a", new Book("b", "c"));
        assertEquals(new Book("b", "c"), cache.get("a"));
    }

    @Test
    void shouldAllowTheTypesOfTheConfiguration()
    {
        final Cache<String, Book> cache = managers().open().createCache(
            "objects", new MutableConfiguration<String, Book>().setTypes(String.class, Book.class));
        cache.put("a", new Book("b", "c"));
        assertEquals(new Book("b", "c"), cache.get("a"));
    }

    @Test
    void shouldNotBuildWhatAnotherProgramHasPut() throws IOException
    {
        final Cache<Object, Object> cache = cache(BOOKS_ALLOWED);
        cache.put("a", "1");
        final byte[] place = Managers.keys(client(), "jcache:objects:").get(0);
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes))
        {
            out.writeObject(new ArrayList<>(List.of(new Evil())));
        }
        client().put(place, bytes.toByteArray());

        final String message = assertThrows(CacheException.class, () -> cache.get("a")).getMessage();
        assertTrue(message.endsWith("class=" + Evil.class.getName()), message);
        assertFalse(Evil.RAN.get(), "its code has run");
        client().put(place, "no object".getBytes(StandardCharsets.UTF_8));
        assertThrows(CacheException.class, () -> cache.get("a"));
        client().put(place, new byte[0]);
        assertThrows(CacheException.class, () -> cache.get("a"));
        // The way out: nothing is decoded.
        cache.put("a", "2");
        assertEquals("2", cache.get("a"));
    }

    @Test
    void shouldNotTakeMemoryForAnArrayThatIsNotThere()
    {
        final Cache<Object, Object> cache = cache(Map.of());
        cache.put("a", new long[]{1});
        final byte[] place = Managers.keys(client(), "jcache:objects:").get(0);
        final byte[] bytes = client().get(place);
        final int lengthOffset = bytes.length - Long.BYTES - Integer.BYTES;
        assertEquals(1, ByteBuffer.wrap(bytes).getInt(lengthOffset));
        ByteBuffer.wrap(bytes).putInt(lengthOffset, 1000);
        client().put(place, bytes);

        final CacheException failure = assertThrows(CacheException.class, () -> cache.get("a"));
        assertInstanceOf(InvalidClassException.class, failure.getCause(), "the filter rejects it");
    }

    @Test
    void shouldFindAKeyWhoseTextsAreOtherObjects()
    {
        final Cache<Object, Object> cache = cache(BOOKS_ALLOWED);
        final String text = "text";
        cache.put(new Book(text, text), 1);
        cache.put(List.of(1_000_000, 1_000_000), 2);

        assertEquals(1, cache.get(new Book("text", new StringBuilder("te").append("xt").toString())));
        assertEquals(2, cache.get(List.of(1_000_000, Integer.valueOf(String.valueOf(1_000_000)))));
    }

    @Test
    void shouldWriteJsonIfTheOptionsSaySo()
    {
        final Cache<String, Book> cache = managers().open(Map.of("onesided.codecs", "json")).createCache(
            "json", new MutableConfiguration<String, Book>().setTypes(String.class, Book.class));
        cache.put("a", new Book("b", "c"));

        assertEquals(new Book("b", "c"), cache.get("a"));
        assertEquals(
            "{\"title\":\"b\",\"author\":\"c\"}", client().get("jcache:json:" + client().get("jcache:json") + ":a"));
        assertThrows(CacheException.class, () -> managers().open(Map.of("onesided.codecs", "json"))
            .createCache("untyped", new MutableConfiguration<>()));
    }

    @Test
    void shouldTakeTheCodecsOfAnApplication()
    {
        final Cache<Object, Object> cache = cache(Map.of("onesided.codecs", Reversing.class.getName()));
        cache.put("abc", "xyz");

        assertEquals("xyz", cache.get("abc"));
        assertEquals("zyx", client().get("jcache:objects:" + client().get("jcache:objects") + ":cba"));
    }

    /**
     * A value.
     *
     * @param title  of the book.
     * @param author of the book.
     */
    record Book(String title, String author) implements Serializable
    {
    }

    /** Runs code when it is read. */
    static final class Evil implements Serializable
    {
        private static final AtomicBoolean RAN = new AtomicBoolean();
        private static final long serialVersionUID = 1;

        private void readObject(final ObjectInputStream in)
        {
            RAN.set(true);
        }
    }

    /** Writes texts from their end. */
    public static final class Reversing implements CodecFactory
    {
        @Override
        public <T> Codec<T> codec(final String cache, final Class<T> type, final ClassLoader loader)
        {
            return Codecs.of(
                (value) -> reverse((String)value).getBytes(StandardCharsets.UTF_8),
                (bytes) -> type.cast(reverse(new String(bytes, StandardCharsets.UTF_8))));
        }

        private static String reverse(final String text)
        {
            return new StringBuilder(text).reverse().toString();
        }
    }
}
