package org.onesided.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/**
 * A cache that several clients share, and that one of them empties.
 */
class GenerationTest extends CacheFixture
{
    private static final Map<String, String> NO_SWEEP = Map.of("onesided.sweep", "false");

    private static MutableConfiguration<String, String> texts()
    {
        return new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private static Cache<String, String> cache(final CacheManager manager)
    {
        return manager.createCache("books", texts());
    }

    @Test
    void shouldShareACacheAmongClients()
    {
        final Cache<String, String> one = cache(managers().open());
        final Cache<String, String> other = cache(managers().open());
        one.put("a", "1");

        assertEquals("1", other.get("a"));
        assertFalse(other.putIfAbsent("a", "2"));
        assertTrue(other.replace("a", "1", "2"));
        assertEquals("2", one.getAndRemove("a"));
        assertFalse(other.containsKey("a"));
    }

    @Test
    void shouldBeEmptyForAllClientsOnceOneHasClearedIt()
    {
        final Cache<String, String> one = cache(managers().open(NO_SWEEP));
        final Cache<String, String> other = cache(managers().open(NO_SWEEP));
        one.put("a", "1");
        one.put("b", "1");
        assertEquals("1", other.get("a"));

        one.clear();

        assertNull(other.get("a"));
        assertFalse(other.containsKey("b"));
        assertFalse(other.iterator().hasNext());
        other.put("a", "2");
        assertEquals("2", one.get("a"));
        assertNull(one.getAndPut("b", "2"));
        assertEquals(4, Managers.keys(client(), "jcache:books:").size(), "two pairs of either generation");
    }

    @Test
    void shouldLeaveOtherCachesAndPairsAlone() throws InterruptedException
    {
        final CacheManager manager = managers().open();
        final Cache<String, String> books = cache(manager);
        final Cache<String, String> more = manager.createCache("books:more %", texts());
        client().put("jcache", "mine");
        books.put("a", "1");
        more.put("a", "2");

        books.clear();
        Managers.await(() -> Managers.keys(client(), "jcache:books:").isEmpty());

        assertEquals("2", more.get("a"));
        assertEquals("mine", client().get("jcache"));
    }

    @Test
    void shouldDeleteThePairsOfTheFormerGenerationLater() throws InterruptedException
    {
        final Cache<String, String> books = cache(managers().open());
        for (int i = 0; i < 1500; i++)
        {
            books.put("key" + i, "value");
        }
        books.clear();
        books.put("a", "1");

        Managers.await(() -> Managers.keys(client(), "jcache:books:").size() == 1);
        assertEquals("1", books.get("a"));
    }

    @Test
    void shouldBeEmptyButNeverOlderWhenTheGenerationIsLost()
    {
        final Cache<String, String> books = cache(managers().open(NO_SWEEP));
        books.put("a", "1");
        final String former = client().get("jcache:books");

        // As an eviction does.
        assertTrue(client().delete("jcache:books"));

        assertNull(books.get("a"));
        assertNotEquals(former, client().get("jcache:books"));
    }

    @Test
    void shouldRefuseAGenerationThatIsNone()
    {
        final Cache<String, String> books = cache(managers().open());
        client().put("jcache:books", "what is this");

        assertTrue(assertThrows(CacheException.class, () -> books.get("a")).getMessage().contains("jcache:books"));
    }

    @Test
    void shouldKeepAGenerationForTheTimeThatTheOptionsName()
    {
        final Cache<String, String> slow =
            cache(managers().open(Map.of("onesided.sweep", "false", "onesided.generation-age", "1d")));
        final Cache<String, String> other = cache(managers().open(NO_SWEEP));
        slow.put("a", "1");

        other.clear();
        assertEquals("1", slow.get("a"), "it looks at the generation tomorrow");
        slow.clear();
        assertNull(slow.get("a"), "its own clear counts at once");
    }

    @Test
    void shouldRemoveAllAtOnceUnlessSomebodyCounts()
    {
        final CacheManager manager = managers().open(NO_SWEEP);
        final Cache<String, String> books = cache(manager);
        books.put("a", "1");
        books.removeAll();
        assertNull(books.get("a"));
        assertEquals(1, Managers.keys(client(), "jcache:books:").size(), "left for the sweep");

        manager.enableStatistics("books", true);
        books.put("b", "1");
        books.removeAll();
        assertNull(books.get("b"));
        assertEquals(1, Managers.keys(client(), "jcache:books:").size(), "removed one by one");
    }

    @Test
    void shouldKeepThePairsOfACacheThatIsClosedAndNotOfOneThatIsDestroyed()
    {
        final CacheManager manager = managers().open();
        cache(manager).put("a", "1");
        manager.getCache("books").close();
        assertNull(manager.getCache("books"));
        assertEquals("1", cache(manager).get("a"));

        manager.destroyCache("books");
        assertNull(cache(manager).get("a"));
    }

    @Test
    void shouldGiveOtherProgramsReadableKeys()
    {
        final Cache<Integer, Long> numbers = managers().open().createCache(
            "numbers", new MutableConfiguration<Integer, Long>().setTypes(Integer.class, Long.class));
        numbers.put(-7, 42L);

        final String key = "jcache:numbers:" + client().get("jcache:numbers") + ":-7";
        assertEquals("42", client().get(key));
        client().increment(key, 1);
        assertEquals(43L, numbers.get(-7));
    }

    @Test
    void shouldTakeKeysOfAnyLengthThatTheStoreHasRoomFor()
    {
        final Cache<String, String> books = cache(managers().open());
        final String longest = "k".repeat(4096 - "jcache:books:0123456789abcdef:".length());
        books.put("", "empty");
        books.put(longest, "long");

        assertEquals(Map.of("", "empty", longest, "long"), books.getAll(Set.of("", longest, "other")));
        assertThrows(CacheException.class, () -> books.put(longest + "k", "too long"));
    }
}
