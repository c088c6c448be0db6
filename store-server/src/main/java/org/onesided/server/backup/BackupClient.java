package org.onesided.server.backup;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.BackupPartEncoder;
import org.onesided.protocol.bootstrap.codec.BackupStateEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedEncoder;

/**
 * The connection with a client that takes a backup. Each call waits until the client has taken what it sends, within a
 * limit. Not thread-safe.
 */
final class BackupClient implements AutoCloseable
{
    /** How long a client is waited for that was told why there is no backup. */
    static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_REASON = 250;

    private final MessageChannel channel;
    private final long limitNs;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final BackupStateEncoder state = new BackupStateEncoder();
    private final BackupPartEncoder part = new BackupPartEncoder();

    /**
     * @param channel of the client, closed with this.
     * @param limitNs for which it may take nothing, in nanoseconds.
     */
    BackupClient(final MessageChannel channel, final long limitNs)
    {
        this.channel = channel;
        this.limitNs = limitNs;
    }

    /** Tells how far the backup is. */
    void state(final long length, final int permille) throws IOException
    {
        state.wrapAndApplyHeader(channel.outgoing(), 0, header).length(length).permille(permille);
        send(state.limit());
    }

    /** Sends the buffer's rest, which has an array. */
    void part(final ByteBuffer bytes) throws IOException
    {
        part.wrapAndApplyHeader(channel.outgoing(), 0, header)
            .putBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        send(part.limit());
    }

    private void send(final int length) throws IOException
    {
        channel.send(length, System.nanoTime() + limitNs);
    }

    /** Fails if the client has left. */
    void look() throws IOException
    {
        if (channel.poll() == GoodbyeDecoder.TEMPLATE_ID)
        {
            throw new EOFException("client has left");
        }
    }

    /** Waits until the client has taken all, and leaves. */
    void awaitEnd() throws IOException
    {
        if (channel.receive(System.nanoTime() + limitNs) != GoodbyeDecoder.TEMPLATE_ID)
        {
            throw new IOException("client sends something else than its goodbye");
        }
    }

    /** Tells why there is no backup, if the client still listens. */
    void refuse(final String reason)
    {
        try
        {
            final String line = OneLine.of(reason);
            final RefusedEncoder refused = new RefusedEncoder();
            refused.wrapAndApplyHeader(channel.outgoing(), 0, header)
                .code(RefusalCode.BACKUP).reason(line.substring(0, Math.min(line.length(), MAX_REASON)));
            final long endNs = System.nanoTime() + LINGER_NS;
            channel.send(refused.limit(), endNs);
            channel.shutdownOutput();
            channel.receive(endNs);
        }
        catch (final IOException e)
        {
            // It has left, or was told.
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(channel);
    }
}
