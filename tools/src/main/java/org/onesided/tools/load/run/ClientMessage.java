package org.onesided.tools.load.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import org.onesided.tools.load.output.StoreFacts;

/**
 * A message of a client process: a line with a word, and bytes in base64 after a blank.
 *
 * @param kind of message.
 * @param body bytes of the message.
 */
record ClientMessage(Kind kind, byte[] body)
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

    /** Writes a body. */
    interface Writer
    {
        void write(DataOutputStream out) throws IOException;
    }

    static ClientMessage of(final Kind kind, final Writer writer)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes))
        {
            writer.write(out);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return new ClientMessage(kind, bytes.toByteArray());
    }

    static ClientMessage ready(final StoreFacts facts)
    {
        return of(Kind.READY, out ->
        {
            out.writeUTF(facts.kind());
            out.writeUTF(facts.address());
            out.writeUTF(facts.device());
            out.writeInt(facts.shards());
            out.writeLong(facts.regionBytes());
            out.writeBoolean(facts.hugePages());
        });
    }

    StoreFacts facts() throws IOException
    {
        final DataInputStream in = in();
        return new StoreFacts(
            in.readUTF(), in.readUTF(), in.readUTF(), in.readInt(), in.readLong(), in.readBoolean());
    }

    DataInputStream in()
    {
        return new DataInputStream(new ByteArrayInputStream(body));
    }

    String line()
    {
        return kind.name() + ' ' + Base64.getEncoder().encodeToString(body);
    }

    static ClientMessage parse(final String line) throws IOException
    {
        final int blank = line.indexOf(' ');
        try
        {
            return new ClientMessage(
                Kind.valueOf(line.substring(0, blank)), Base64.getDecoder().decode(line.substring(blank + 1)));
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException e)
        {
            throw new IOException("no message of a client process: line=" + line, e);
        }
    }
}
