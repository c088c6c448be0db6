package org.onesided.tools.load.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A message of a client process: a line with a word, and behind a blank an object, as Java serializes it, compressed,
 * in base64. Both processes run the same program, and the reader refuses classes that messages do not have.
 *
 * @param kind of message.
 * @param body content of the message.
 */
record ClientMessage(Kind kind, Serializable body)
{
    /** Kinds of messages. */
    enum Kind
    {
        /** The store is connected; the body describes it. */
        READY,
        /** The warm-up has begun; the body is its length in nanoseconds. */
        WARMING_UP,
        /** The measurement has begun. */
        MEASURING,
        /** The body is an interval of the phase. */
        INTERVAL,
        /** The phase has ended. */
        END,
        /** The process cannot continue; the body is the reason. */
        FAILED,
    }

    private static final ObjectInputFilter OWN = ObjectInputFilter.Config.createFilter(
        "maxbytes=67108864;maxdepth=20;org.onesided.tools.load.**;org.HdrHistogram.*;java.base/*;!*");

    /**
     * @throws IOException if the body is none of this type.
     */
    <T> T body(final Class<T> type) throws IOException
    {
        if (!type.isInstance(body))
        {
            throw new IOException("no message of a client process: kind=" + kind + " body=" + body);
        }
        return type.cast(body);
    }

    /** The line, without its end. */
    String line()
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(new DeflaterOutputStream(bytes)))
        {
            out.writeObject(body);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return kind.name() + ' ' + Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /**
     * @throws IOException if the line is no message.
     */
    static ClientMessage parse(final String line) throws IOException
    {
        try
        {
            final int blank = line.indexOf(' ');
            final Kind kind = Kind.valueOf(line.substring(0, blank));
            final byte[] bytes = Base64.getDecoder().decode(line.substring(blank + 1));
            try (ObjectInputStream in = new ObjectInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes))))
            {
                in.setObjectInputFilter(OWN);
                return new ClientMessage(kind, (Serializable)in.readObject());
            }
        }
        catch (final IOException | ClassNotFoundException | RuntimeException e)
        {
            throw new IOException("no message of a client process: line=" + line, e);
        }
    }
}
