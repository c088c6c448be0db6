package org.onesided.tools.kvctl.pairs;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * Keys and values in JSON: text if they are UTF-8; else base64, or what was asked for, in a field whose name says so.
 */
public final class JsonBytes
{
    private JsonBytes()
    {
    }

    /**
     * Writes a field.
     *
     * @param generator of UTF-8, in an object.
     * @param name      of the field if it contains text.
     * @param bytes     of the key or value.
     * @param encoding  of the text; bytes that are not {@link ByteEncoding#UTF8} are in base64 then.
     * @throws IOException if they cannot be written.
     */
    public static void write(
        final JsonGenerator generator, final String name, final byte[] bytes, final ByteEncoding encoding)
        throws IOException
    {
        if (encoding == ByteEncoding.HEX || encoding == ByteEncoding.ESCAPED)
        {
            generator.writeStringField(name + encoding.jsonSuffix(), encoding.text(bytes));
        }
        else if (encoding == ByteEncoding.UTF8 && Utf8.isText(bytes))
        {
            generator.writeFieldName(name);
            generator.writeUTF8String(bytes, 0, bytes.length);
        }
        else
        {
            generator.writeFieldName(name + ByteEncoding.BASE64.jsonSuffix());
            generator.writeBinary(bytes);
        }
    }
}
