package org.onesided.client.typed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Objects as JSON in UTF-8, by Jackson, which knows Java's records. The application brings
 * {@code com.fasterxml.jackson.core:jackson-databind}, from 2.12 on. Thread-safe. What Jackson cannot encode or decode
 * is an {@link UncheckedIOException}.
 *
 * <p>As a codec of keys it must be of a type whose properties always come in the same order, as those of records do.
 *
 * @param <T> type of the objects.
 */
public final class JsonCodec<T> implements Codec<T>
{
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final JavaType type;

    private JsonCodec(final ObjectMapper mapper, final JavaType type)
    {
        writer = mapper.writerFor(type);
        reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        this.type = type;
    }

    /**
     * Makes a codec with Jackson's defaults.
     *
     * @param type of the objects; for one with parameters, such as a list, use {@link #of(ObjectMapper, JavaType)}.
     * @param <T>  the same.
     * @return the codec.
     */
    public static <T> JsonCodec<T> of(final Class<T> type)
    {
        return of(new JsonMapper(), type);
    }

    /**
     * Makes a codec with an application's own settings.
     *
     * @param mapper that reads and writes; changes that are made to it later may have no effect.
     * @param type   of the objects.
     * @param <T>    the same.
     * @return the codec.
     */
    public static <T> JsonCodec<T> of(final ObjectMapper mapper, final Class<T> type)
    {
        return of(mapper, mapper.constructType(type));
    }

    /**
     * Makes a codec for a type with parameters.
     *
     * @param mapper that reads and writes; changes that are made to it later may have no effect.
     * @param type   of the objects, as {@code mapper.getTypeFactory()} makes it.
     * @param <T>    the same.
     * @return the codec.
     */
    public static <T> JsonCodec<T> of(final ObjectMapper mapper, final JavaType type)
    {
        return new JsonCodec<>(mapper, type);
    }

    @Override
    public byte[] encode(final T value)
    {
        try
        {
            return writer.writeValueAsBytes(value);
        }
        catch (final JsonProcessingException e)
        {
            throw new UncheckedIOException(
                "not to be encoded as JSON of " + typeName() + ": " + e.getOriginalMessage(), e);
        }
    }

    @Override
    public T decode(final byte[] bytes)
    {
        final T value;
        try
        {
            value = reader.readValue(bytes);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("not JSON of " + typeName() + ": length=" + bytes.length, e);
        }
        if (value == null)
        {
            // JSON's null is a value, and null means absent everywhere else.
            throw new UncheckedIOException(new IOException("JSON of null is no object: length=" + bytes.length));
        }
        return value;
    }

    private String typeName()
    {
        return type.getRawClass().getName();
    }
}
