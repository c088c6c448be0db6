package org.onesided.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.session.KeyText;
import org.onesided.client.types.ServerInfo;

/**
 * Keys and values as text, for operations that do not begin with text themselves.
 */
final class Texts
{
    /** No text: the prefix that every key has. */
    static final byte[] NONE = new byte[0];

    private Texts()
    {
    }

    /** The bytes of a key or value; {@code what} names it in the failure. */
    static byte[] bytes(final String operation, final String text, final String what, final ServerInfo server)
    {
        return Utf8.encoded(text, what, operation, server.address());
    }

    /** The bytes of many keys. */
    static List<byte[]> all(final String operation, final Collection<String> keys, final ServerInfo server)
    {
        final List<byte[]> all = new ArrayList<>(keys.size());
        for (final String key : keys)
        {
            all.add(bytes(operation, key, "key", server));
        }
        return all;
    }

    /** The keys that have a value, with its text; {@code values} are in the order of the keys. */
    static Map<String, String> found(
        final Collection<String> keys, final List<byte @Nullable []> values, final ServerInfo server)
    {
        final Map<String, String> found = new LinkedHashMap<>();
        final Iterator<byte @Nullable []> each = values.iterator();
        for (final String key : keys)
        {
            final byte @Nullable [] value = each.next();
            if (value != null)
            {
                found.put(key, of(Operation.GET_ALL, key, value, server));
            }
        }
        return found;
    }

    /** The text of a value that was found. */
    static String of(final String operation, final String key, final byte[] value, final ServerInfo server)
    {
        final String text = Utf8.decode(value);
        if (text == null)
        {
            throw new StoreLimitException("value is not valid UTF-8, get it as bytes: length=" + value.length,
                new FailureContext(operation, KeyText.of(Utf8.encode(key)), server.address(),
                    Operation.unsentFate(operation)));
        }
        return text;
    }
}
