package org.onesided.client.bootstrap;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.codec.BackupPartDecoder;
import org.onesided.protocol.bootstrap.codec.BackupStateDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;

/**
 * Receives a backup, part by part. Not thread-safe.
 */
public final class BackupReceipt
{
    /** A server that says nothing for so long is given up: it tells how far it is ten times a second. */
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    /** How long a server may take to remove its files. */
    private static final long END_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_PERMILLE = 1_000;

    private final MessageChannel channel;
    private final Function<IOException, AttachFailedException> failed;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final BackupStateDecoder state = new BackupStateDecoder();
    private final BackupPartDecoder backupPart = new BackupPartDecoder();
    private final UnsafeBuffer part = new UnsafeBuffer(0, 0);
    private boolean isPart;
    private long length;
    private long received;
    private int permille;

    BackupReceipt(final MessageChannel channel, final Function<IOException, AttachFailedException> failed)
    {
        this.channel = channel;
        this.failed = failed;
    }

    /**
     * Waits for the next message of the server.
     *
     * @return whether there are more; false after the last part. By then the server is done with this backup, unless it
     *         takes longer than 10 seconds to remove its files.
     * @throws AttachFailedException if the server makes no backup, the connection has ended, or nothing comes.
     */
    public boolean next() throws AttachFailedException
    {
        try
        {
            if (length > 0 && received == length)
            {
                final GoodbyeEncoder goodbye = new GoodbyeEncoder();
                goodbye.wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).reason("all is here");
                channel.send(goodbye.limit(), System.nanoTime() + LIMIT_NS);
                awaitEnd();
                return false;
            }
            take(channel.receive(System.nanoTime() + LIMIT_NS));
            return true;
        }
        catch (final IOException e)
        {
            throw failed.apply(e);
        }
    }

    /** The server closes the connection when it can make the next backup, which may be asked for at once. */
    private void awaitEnd()
    {
        try
        {
            channel.receive(System.nanoTime() + END_NS);
        }
        catch (final IOException e)
        {
            // It has closed it, or is slow: the backup is here in any case.
            return;
        }
    }

    private void take(final int templateId) throws ProtocolException, AttachFailedException
    {
        isPart = false;
        switch (templateId)
        {
            case BackupStateDecoder.TEMPLATE_ID ->
            {
                state.wrapAndApplyHeader(channel.message(), 0, header);
                if (received > 0 || state.length() < 0)
                {
                    throw new ProtocolException("message out of order: BackupState length=" + state.length());
                }
                length = state.length();
                permille = Math.min(MAX_PERMILLE, state.permille());
            }
            case BackupPartDecoder.TEMPLATE_ID ->
            {
                backupPart.wrapAndApplyHeader(channel.message(), 0, header).wrapBytes(part);
                if (part.capacity() > length - received)
                {
                    throw new ProtocolException("backup is longer than it should be: length=" + length);
                }
                received += part.capacity();
                isPart = true;
            }
            case RefusedDecoder.TEMPLATE_ID ->
                throw AttachFailures.refused(new RefusedDecoder().wrapAndApplyHeader(channel.message(), 0, header));
            case OfferDecoder.TEMPLATE_ID -> throw new AttachFailedException(
                AttachFailedException.Kind.PERMANENT, "server makes no backups, start a newer version", null);
            default -> throw new ProtocolException("message out of order: template=" + templateId);
        }
    }

    /**
     * @return the bytes that came with the last message, until the next one; null if none did.
     */
    public DirectBuffer part()
    {
        return isPart ? part : null;
    }

    /**
     * @return length of the whole in bytes; 0 as long as the server has not made it.
     */
    public long length()
    {
        return length;
    }

    /**
     * @return how much of the table the server has visited, in thousandths.
     */
    public int permille()
    {
        return permille;
    }
}
