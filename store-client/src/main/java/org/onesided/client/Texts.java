package org.onesided.client;

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
