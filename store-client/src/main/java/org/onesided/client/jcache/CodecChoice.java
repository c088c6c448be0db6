package org.onesided.client.jcache;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.cache.CacheException;
import org.onesided.client.typed.Codec;
import org.onesided.client.typed.Codecs;
import org.onesided.client.typed.JsonCodec;

/**
 * Finds the codecs that the options name. Texts, numbers and bytes have codecs of their own, which other programs
 * understand; the options decide about all other types.
 */
final class CodecChoice
{
    static final String JAVA = "java";
    static final String JSON = "json";

    private static final Map<Class<?>, Codec<?>> PLAIN = Map.of(
        String.class, Codecs.utf8(),
        Long.class, Codecs.decimal(),
        Integer.class, Codecs.<Integer>of(
            (value) -> value.toString().getBytes(StandardCharsets.US_ASCII),
            (bytes) -> Integer.valueOf(new String(bytes, StandardCharsets.US_ASCII))),
        byte[].class, Codecs.of(byte[]::clone, byte[]::clone));

    private CodecChoice()
    {
    }

    /** Finds the codecs; fails if the options name none. */
    static CodecFactory of(final ManagerOptions options, final ClassLoader loader)
    {
        return switch (options.codecs())
        {
            case JAVA -> java(options.serialFilter());
            case JSON -> json();
            default -> application(options.codecs(), loader);
        };
    }

    private static CodecFactory java(final String allowed)
    {
        // Fails now if it is no pattern.
        SerialFilter.of(allowed, Object.class);
        return new CodecFactory()
        {
            @Override
            public <T> Codec<T> codec(final String cache, final Class<T> type, final ClassLoader loader)
            {
                final Codec<T> plain = plain(type);
                return plain == null ? new JavaCodec<>(type, SerialFilter.of(allowed, type), loader) : plain;
            }
        };
    }

    private static CodecFactory json()
    {
        return new CodecFactory()
        {
            @Override
            public <T> Codec<T> codec(final String cache, final Class<T> type, final ClassLoader loader)
            {
                if (type == Object.class)
                {
                    throw new CacheException("JSON needs the types of keys and values, set them in the cache's " +
                        "configuration: cache=" + cache);
                }
                final Codec<T> plain = plain(type);
                return plain == null ? JsonCodec.of(type) : plain;
            }
        };
    }

    private static CodecFactory application(final String name, final ClassLoader loader)
    {
        try
        {
            return Class.forName(name, true, loader).asSubclass(CodecFactory.class)
                .getDeclaredConstructor().newInstance();
        }
        catch (final ReflectiveOperationException | ClassCastException e)
        {
            throw new CacheException("codecs must be " + JAVA + ", " + JSON + " or a class that implements " +
                "CodecFactory and has a public constructor without parameters: codecs=" + name, e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> Codec<T> plain(final Class<T> type)
    {
        return (Codec<T>)PLAIN.get(type);
    }
}
