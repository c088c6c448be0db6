package org.onesided.tools.kvctl.pairs;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * Keys and values in JSON: text if they are UTF-8, else base64 in a field whose name says so.
 */
public final class JsonBytes
{
    /** Suffix of the names of fields with base64. */
    static final String BASE64 = "64";

    private JsonBytes()
    {
    }

    /**
     * Writes a field.
     *
     * @param generator of UTF-8, in an object.
     * @param name      of the field if it contains text.
     * @param bytes     of the key or value.
     * @throws IOException if they cannot be written.
     */
    public static void write(final JsonGenerator generator, final String name, final byte[] bytes) throws IOException
    {
        if (Utf8.isText(bytes))
        {
            generator.writeFieldName(name);
            generator.writeUTF8String(bytes, 0, bytes.length);
        }
        else
        {
            generator.writeFieldName(name + BASE64);
            generator.writeBinary(bytes);
        }
    }
}
