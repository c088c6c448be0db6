package org.onesided.endtoend.faults;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one writer knows of the keys that it alone writes, in the server's life of now: of each key, which values it may
 * have. A value is told by its text; the empty text says that the key is absent. Not thread-safe.
 */
final class OwnedState
{
    static final String ABSENT = "";

    private final String owner;
    private final Map<String, Set<String>> possible = new HashMap<>();
    /** Keys of lives that are over. */
    private final List<String> former = new ArrayList<>();
    private long life;
    private long lives;
    private long puts;
    private long deletes;
    private long unknown;

    /**
     * @param owner that all its keys begin with.
     * @param life  of the server.
     */
    OwnedState(final String owner, final long life)
    {
        this.owner = owner;
        this.life = life;
    }

    /** Everything is gone with the life before, if there is a new one; whether there is. */
    boolean now(final long serverLife)
    {
        if (serverLife == life)
        {
            return false;
        }
        life = serverLife;
        lives++;
        former.addAll(possible.keySet());
        possible.clear();
        puts = 0;
        deletes = 0;
        unknown = 0;
        return true;
    }

    void isPut(final String key, final String value)
    {
        puts++;
        set(key, value);
    }

    void isDeleted(final String key, final boolean wasPresent)
    {
        deletes += wasPresent ? 1 : 0;
        expect(!wasPresent || !possible(key).equals(Set.of(ABSENT)), key, "deleted, though it was absent");
        expect(wasPresent || possible(key).contains(ABSENT), key, "not found by a delete");
        set(key, ABSENT);
    }

    /** The write may have taken effect, or may do so as long as this life lasts. */
    void mayBe(final String key, final String value)
    {
        unknown++;
        final Set<String> values = new HashSet<>(possible(key));
        values.add(value);
        possible.put(key, values);
    }

    void isFound(final String key, final String value)
    {
        expect(possible(key).contains(value), key, "found " + shown(value));
    }

    /** All that is there must be known, and all that is known must be there. */
    void isAll(final Map<String, String> found)
    {
        found.forEach(this::isFound);
        possible.forEach((key, values) -> expect(
            values.contains(ABSENT) || found.containsKey(key), key, "is lost"));
    }

    /** A key of a life that is over, or null. */
    String former(final int index)
    {
        return former.isEmpty() ? null : former.get(index % former.size());
    }

    /** Keys that it knows of in this life. */
    int size()
    {
        return possible.size();
    }

    boolean owns(final String key)
    {
        return key.startsWith(owner + "/");
    }

    String key(final String name)
    {
        return owner + "/" + name;
    }

    /** Lives after the first. */
    long lives()
    {
        return lives;
    }

    /** Puts of this life that are known to be done. */
    long puts()
    {
        return puts;
    }

    /** Deletes of this life that have found something. */
    long deletes()
    {
        return deletes;
    }

    /** Writes of this life whose fate is unknown. */
    long unknown()
    {
        return unknown;
    }

    /** A value that no other put has, and that tells of each of its bytes what it is. */
    static byte[] value(final String name, final int length)
    {
        final byte[] text = (name + ";").getBytes(StandardCharsets.US_ASCII);
        final byte[] value = Arrays.copyOf(text, Math.max(length, text.length));
        for (int i = text.length; i < value.length; i++)
        {
            value[i] = text[i % text.length];
        }
        return value;
    }

    /** What is told of a value: its name, if it is whole. */
    static String text(final byte[] value)
    {
        if (value == null)
        {
            return ABSENT;
        }
        final String text = new String(value, StandardCharsets.US_ASCII);
        final int end = text.indexOf(';');
        return end > 0 && Arrays.equals(value, value(text.substring(0, end), value.length)) ?
            text.substring(0, end) : "torn: " + text;
    }

    private Set<String> possible(final String key)
    {
        return possible.getOrDefault(key, Set.of(ABSENT));
    }

    private void set(final String key, final String value)
    {
        possible.put(key, Set.of(value));
    }

    private void expect(final boolean isTrue, final String key, final String otherwise)
    {
        if (!isTrue)
        {
            throw new AssertionError(key + ": " + otherwise + ", may be " + possible(key) + ", of a former life: " +
                former.contains(key) + " life=" + Long.toHexString(life) + " lives=" + lives);
        }
    }

    private static String shown(final String value)
    {
        return value.equals(ABSENT) ? "nothing" : value.substring(0, Math.min(60, value.length()));
    }
}
