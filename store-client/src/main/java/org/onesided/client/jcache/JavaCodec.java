package org.onesided.client.jcache;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.cache.CacheException;
import org.onesided.client.typed.Codec;

/**
 * Java's serialization, of the classes that a filter allows. A class that it rejects is refused when it is written, so
 * that the error comes where its reason is, and again when it is read. Thread-safe.
 *
 * <p>Equal texts and boxed numbers within an object are written once, as if they were the same object, so that keys
 * made of these have the same bytes if they are equal.
 *
 * @param <T> type of the objects.
 */
final class JavaCodec<T> implements Codec<T>
{
    private static final long SPARE_PLACES = 64;

    private final Class<T> type;
    private final ObjectInputFilter filter;
    private final ClassLoader loader;

    JavaCodec(final Class<T> type, final ObjectInputFilter filter, final ClassLoader loader)
    {
        this.type = type;
        this.filter = filter;
        this.loader = loader;
    }

    @Override
    public byte[] encode(final T value)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // The type may have been lost on the way here: a cast would not fail.
        final T checked = type.cast(value);
        try (ObjectOutputStream out = new Output(bytes, filter))
        {
            out.writeObject(checked);
        }
        catch (final IOException e)
        {
            throw new CacheException("not to be serialized: class=" + value.getClass().getName(), e);
        }
        return bytes.toByteArray();
    }

    @Override
    public T decode(final byte[] bytes)
    {
        final Class<?>[] rejected = new Class<?>[1];
        try (ObjectInputStream in = new Input(new ByteArrayInputStream(bytes), loader))
        {
            in.setObjectInputFilter((info) ->
            {
                final ObjectInputFilter.Status status = filter.checkInput(info);
                if (status == ObjectInputFilter.Status.REJECTED)
                {
                    rejected[0] = info.serialClass();
                    return status;
                }
                // An element takes a byte at least, and a hash table has up to eight times as many places as entries.
                return info.arrayLength() > SPARE_PLACES + 4L * bytes.length ?
                    ObjectInputFilter.Status.REJECTED : status;
            });
            return Objects.requireNonNull(type.cast(in.readObject()), "null is no value");
        }
        catch (final IOException | ClassNotFoundException | RuntimeException e)
        {
            throw rejected[0] != null ? refused(rejected[0], e) :
                new CacheException("not a serialized object of this cache, or too large a one: type=" +
                    type.getName() + " length=" + bytes.length, e);
        }
    }

    private static CacheException refused(final Class<?> type, final Exception cause)
    {
        return new CacheException(
            "class may not be deserialized, name it in onesided.serial-filter if it is safe: class=" + type.getName(),
            cause);
    }

    /** Writes equal constants once, and no class that the reader would reject. */
    private static final class Output extends ObjectOutputStream
    {
        private final ObjectInputFilter filter;
        private final Map<Object, Object> constants = new HashMap<>();

        Output(final OutputStream out, final ObjectInputFilter filter) throws IOException
        {
            super(out);
            this.filter = filter;
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(final Object object)
        {
            if (object instanceof String || object instanceof Number && object.getClass().getName().startsWith("java."))
            {
                final Object first = constants.putIfAbsent(object, object);
                return first == null ? object : first;
            }
            return object;
        }

        @Override
        protected void annotateClass(final Class<?> type)
        {
            if (!type.isPrimitive() && !SerialFilter.allows(filter, type))
            {
                throw refused(type, null);
            }
        }
    }

    /** Loads classes of the application. */
    private static final class Input extends ObjectInputStream
    {
        private final ClassLoader loader;

        Input(final InputStream in, final ClassLoader loader) throws IOException
        {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(final ObjectStreamClass description) throws IOException, ClassNotFoundException
        {
            try
            {
                return Class.forName(description.getName(), false, loader);
            }
            catch (final ClassNotFoundException e)
            {
                // Primitive types.
                return super.resolveClass(description);
            }
        }
    }
}
