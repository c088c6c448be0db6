package org.onesided.protocol.bootstrap;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.onesided.protocol.bootstrap.FrameDescriptor.HEADER_LENGTH;
import static org.onesided.protocol.bootstrap.FrameDescriptor.MAGIC;
import static org.onesided.protocol.bootstrap.FrameDescriptor.MAGIC_OFFSET;
import static org.onesided.protocol.bootstrap.FrameDescriptor.TLS_MAJOR_VERSION;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.security.auth.x500.X500Principal;

/**
 * Bytes within TLS. Reads and writes continue the handshake as far as possible; an executor runs its slow parts, on
 * keys and certificates. Not thread-safe.
 */
final class TlsStream implements ByteStream
{
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    /** Content types of TLS records. */
    private static final int FIRST_CONTENT_TYPE = 20;
    private static final int LAST_CONTENT_TYPE = 24;
    /**
     * Maximum number of records without data in a row, such as tickets and key updates: more would only occupy the
     * thread.
     */
    private static final int MAX_EMPTY_RECORDS = 64;

    private final SocketChannel socket;
    private final SSLEngine engine;
    private final Executor executor;
    private final Runnable whenDone;
    /** Received bytes to decrypt; filled up to its position. */
    private final ByteBuffer received;
    /** Decrypted bytes to take; filled up to its position. */
    private final ByteBuffer clear;
    /** Encrypted bytes to send; filled up to its position. */
    private final ByteBuffer unsent;
    private final int packetLength;
    private volatile boolean isBusy;
    /** The owner no longer waits for the handshake. */
    private volatile boolean isLeft;
    private boolean isPeerKnown;
    private boolean isEstablished;
    private boolean isEnded;
    private IOException failure;

    /**
     * @param socket   connected.
     * @param engine   of the one side or the other, not used yet.
     * @param executor does what takes long.
     * @param whenDone called by that each time when the stream can go on.
     */
    TlsStream(
        final SocketChannel socket, final SSLEngine engine, final Executor executor, final Runnable whenDone)
        throws SSLException
    {
        this.socket = socket;
        this.engine = engine;
        this.executor = executor;
        this.whenDone = whenDone;
        packetLength = engine.getSession().getPacketBufferSize();
        received = ByteBuffer.allocate(packetLength);
        unsent = ByteBuffer.allocate(packetLength);
        clear = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
    }

    @Override
    public SocketChannel socket()
    {
        return socket;
    }

    @Override
    public int read(final ByteBuffer to) throws IOException
    {
        advance();
        int records = 0;
        while (isEstablished && !isBusy && clear.position() == 0 && !isEnded && unwrap())
        {
            advance();
            if (clear.position() == 0 && ++records > MAX_EMPTY_RECORDS)
            {
                throw new ProtocolException("peer sends TLS records without content: records=" + records);
            }
        }
        if (clear.position() == 0)
        {
            return isEnded ? -1 : 0;
        }
        clear.flip();
        final int count = Math.min(clear.remaining(), to.remaining());
        to.put(clear.slice(clear.position(), count));
        clear.position(clear.position() + count);
        clear.compact();
        return count;
    }

    @Override
    public void write(final ByteBuffer from) throws IOException
    {
        advance();
        if (isEnded && !isEstablished && !isBusy && !isLeft && failure == null)
        {
            // A side that only writes would otherwise wait for the rest of the handshake until the deadline.
            throw new EOFException("peer closed the connection during the TLS handshake");
        }
        while (isEstablished && !isBusy && from.hasRemaining() && wrap(from))
        {
            advance();
        }
        send();
    }

    @Override
    public boolean hasUnsent()
    {
        return unsent.position() > 0;
    }

    @Override
    public boolean isEstablished()
    {
        return isEstablished;
    }

    @Override
    public boolean isBusy()
    {
        return isBusy;
    }

    @Override
    public String peerSubject()
    {
        try
        {
            // A name can contain any character, and logs print it.
            return engine.getSession().getPeerPrincipal() instanceof X500Principal subject ?
                OneLine.of(subject.getName(), "?") : null;
        }
        catch (final SSLPeerUnverifiedException e)
        {
            return null;
        }
    }

    @Override
    public boolean discard() throws IOException
    {
        return socket.read(received.clear()) < 0;
    }

    @Override
    public void shutdownOutput() throws IOException
    {
        isLeft = true;
        takeLeave();
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException
    {
        isLeft = true;
        try (socket)
        {
            if (isEstablished && socket.isConnected())
            {
                takeLeave();
            }
        }
        catch (final IOException e)
        {
            // The peer has gone and needs no close notification.
            socket.close();
        }
    }

    /** Continues the handshake, or TLS messages after it, as far as possible now. */
    private void advance() throws IOException
    {
        if (failure != null || isLeft)
        {
            send();
            return;
        }
        try
        {
            boolean canGoOn = !isBusy;
            while (canGoOn)
            {
                canGoOn = switch (engine.getHandshakeStatus())
                {
                    case NEED_TASK -> runTasks();
                    case NEED_WRAP -> wrap(EMPTY);
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> !isEnded && clear.position() == 0 && unwrap();
                    case FINISHED, NOT_HANDSHAKING -> false;
                };
            }
            if (!isBusy && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING)
            {
                isEstablished = true;
            }
        }
        catch (final SSLException e)
        {
            throw failed(e);
        }
    }

    /** A task that the executor has finished already needs no wait. */
    private boolean runTasks()
    {
        final List<Runnable> tasks = new ArrayList<>();
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask())
        {
            tasks.add(task);
        }
        isBusy = true;
        executor.execute(() ->
        {
            try
            {
                // Skip the task of a connection that was closed, so that others do not wait for it.
                if (!isLeft)
                {
                    tasks.forEach(Runnable::run);
                }
            }
            finally
            {
                isBusy = false;
                whenDone.run();
            }
        });
        return !isBusy;
    }

    /** Encrypts bytes, if there is room: those of the handshake, if TLS needs to send some. */
    private boolean wrap(final ByteBuffer from) throws IOException
    {
        if (unsent.remaining() < packetLength && !send())
        {
            return false;
        }
        final SSLEngineResult result = engine.wrap(from, unsent);
        send();
        return switch (result.getStatus())
        {
            case OK -> true;
            case CLOSED ->
            {
                isEnded = true;
                yield false;
            }
            case BUFFER_OVERFLOW, BUFFER_UNDERFLOW ->
                throw new SSLException("TLS record has no room: length=" + packetLength);
        };
    }

    /** Decrypts one record, if it is complete. */
    private boolean unwrap() throws IOException
    {
        while (true)
        {
            if (isPeerKnown || checkPeer())
            {
                received.flip();
                final SSLEngineResult result;
                try
                {
                    result = engine.unwrap(received, clear);
                }
                catch (final SSLException e)
                {
                    throw failed(e);
                }
                finally
                {
                    received.compact();
                }
                switch (result.getStatus())
                {
                    case OK ->
                    {
                        return true;
                    }
                    case CLOSED ->
                    {
                        isEnded = true;
                        return false;
                    }
                    case BUFFER_OVERFLOW -> throw new SSLException("TLS record is too long");
                    case BUFFER_UNDERFLOW ->
                    {
                        // The record is incomplete. The buffer has room for TLS' longest record.
                        if (!received.hasRemaining())
                        {
                            throw failed(new SSLException("TLS record is too long: longest=" + packetLength));
                        }
                    }
                    default -> throw new IllegalStateException("unknown status: " + result.getStatus());
                }
            }
            final int count = socket.read(received);
            if (count <= 0)
            {
                isEnded = count < 0;
                return false;
            }
        }
    }

    /** Detects by the peer's first bytes whether it speaks TLS, or this protocol without TLS. */
    private boolean checkPeer() throws ProtocolException
    {
        final int count = received.position();
        if (count >= HEADER_LENGTH && received.order(LITTLE_ENDIAN).getInt(MAGIC_OFFSET) == MAGIC)
        {
            throw new TlsMismatchException(false, "peer does not speak TLS");
        }
        final String protocol = ForeignProtocol.nameOf(received, count);
        if (protocol != null)
        {
            throw new ForeignProtocolException(protocol);
        }
        final boolean mayBeTls = count > 0 && received.get(0) >= FIRST_CONTENT_TYPE &&
            received.get(0) <= LAST_CONTENT_TYPE && (count == 1 || received.get(1) == TLS_MAJOR_VERSION);
        if (!mayBeTls && count >= HEADER_LENGTH)
        {
            throw new TlsMismatchException(false, "peer speaks neither TLS nor this protocol");
        }
        // As a frame length, these bytes would exceed every message; an alert is shorter than a frame header.
        isPeerKnown = count >= HEADER_LENGTH || mayBeTls && count > 2 && received.get(2) != 0;
        return isPeerKnown;
    }

    /** Sends waiting bytes; whether all are sent. */
    private boolean send() throws IOException
    {
        unsent.flip();
        try
        {
            while (unsent.hasRemaining() && socket.write(unsent) > 0)
            {
                // Writes as many bytes as the socket accepts.
            }
        }
        finally
        {
            unsent.compact();
        }
        return unsent.position() == 0;
    }

    /** An alert informs the peer. */
    private IOException failed(final SSLException cause)
    {
        if (failure == null)
        {
            failure = TlsException.of(cause);
            // Bytes that wait for encryption are never encrypted.
            isEstablished = false;
            try
            {
                for (int i = 0; i < 2 && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++)
                {
                    engine.wrap(EMPTY, unsent);
                }
                send();
            }
            catch (final IOException e)
            {
                failure.addSuppressed(e);
            }
        }
        return failure;
    }

    private void takeLeave() throws IOException
    {
        if (failure == null && !isBusy)
        {
            engine.closeOutbound();
            if (unsent.remaining() >= packetLength)
            {
                engine.wrap(EMPTY, unsent);
            }
        }
        send();
    }
}
