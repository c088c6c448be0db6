package org.onesided.protocol.bootstrap;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.onesided.protocol.bootstrap.FrameDescriptor.*;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Carries messages over a TCP connection, each behind a frame header. The socket is non-blocking: {@link #poll} and
 * {@link #flush} do what can be done now, for use with a selector; {@link #receive} and {@link #send} wait until a
 * deadline. Not thread-safe.
 *
 * <p>To send, let an encoder {@code wrapAndApplyHeader(channel.outgoing(), 0, header)}, then {@link #commit} the whole
 * length. A message received is checked against the lengths it states before anyone decodes it.
 */
public final class MessageChannel implements AutoCloseable
{
    /** Result of {@link #poll} without a complete message. */
    public static final int NOTHING = 0;

    private static final int INITIAL_CAPACITY = 1024;
    /** Maximum number of messages that wait for a slow peer; the bootstrap needs no more. */
    private static final int OUTGOING_CAPACITY = 4 * (HEADER_LENGTH + Bootstrap.MAX_MESSAGE_LENGTH);

    private final SocketChannel socket;
    private ByteStream stream;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer outgoingMessage = new UnsafeBuffer(0, 0);
    private int maxIncomingLength;
    private ByteBuffer incoming = allocate(INITIAL_CAPACITY);
    private ByteBuffer outgoing = allocate(INITIAL_CAPACITY);
    private int consumed;
    private boolean isGreeted;
    private boolean isBegun;
    private long silenceNs;
    private Runnable whenSilent;
    /** Of {@link #receive} and {@link #send}, from the first that waits until {@link #endWaits}; else null. */
    private Selector selector;
    private SelectionKey key;

    /**
     * @param socket            connected; becomes non-blocking, and closed with this.
     * @param maxIncomingLength longest message to accept, in bytes.
     * @throws IOException if the socket is closed.
     */
    public MessageChannel(final SocketChannel socket, final int maxIncomingLength) throws IOException
    {
        this(new PlainStream(socket), maxIncomingLength);
    }

    /**
     * @param stream            over a connected socket, which becomes non-blocking; closed with this.
     * @param maxIncomingLength longest message to accept, in bytes.
     * @throws IOException if the socket is closed.
     */
    MessageChannel(final ByteStream stream, final int maxIncomingLength) throws IOException
    {
        this.stream = stream;
        socket = stream.socket();
        maxIncomingLength(maxIncomingLength);
        socket.configureBlocking(false);
    }

    /**
     * @return the socket, to register with a selector.
     */
    public SocketChannel socket()
    {
        return socket;
    }

    /**
     * Says, before anybody asks, that this side speaks this protocol.
     */
    public void greet()
    {
        commit(0);
    }

    /**
     * @return what {@link #greet} sends.
     */
    public static ByteBuffer greeting()
    {
        return allocate(HEADER_LENGTH).putInt(0).putInt(MAGIC).flip();
    }

    /**
     * @return whether the peer has shown that it speaks this protocol.
     */
    public boolean isGreeted()
    {
        return isGreeted;
    }

    /**
     * Calls something, once, if {@link #send} and {@link #receive} go on for so long without a word from the peer, or
     * without more than its greeting.
     *
     * @param atNs   when, a time of {@link System#nanoTime()}.
     * @param action called by the thread that waits.
     */
    public void onSilence(final long atNs, final Runnable action)
    {
        silenceNs = atNs;
        whenSilent = action;
    }

    /**
     * Changes what is accepted from here on: a peer that has shown who it is may send more.
     *
     * @param length of the longest message in bytes, at most {@link Bootstrap#MAX_MESSAGE_LENGTH}.
     */
    public void maxIncomingLength(final int length)
    {
        if (length < 1 || length > Bootstrap.MAX_MESSAGE_LENGTH)
        {
            throw new IllegalArgumentException("not a message length: length=" + length);
        }
        maxIncomingLength = length;
    }

    /**
     * Takes the next message if it is there as a whole. Drops the one before.
     *
     * @return its template id, or {@link #NOTHING}.
     * @throws ProtocolException if the peer speaks something else, or a message is malformed or too long.
     * @throws EOFException      if the peer closed the connection.
     * @throws IOException       if the connection broke.
     */
    public int poll() throws IOException
    {
        dropConsumed();
        int templateId = next();
        int count = 1;
        // Reads until nothing is left: a selector does not report bytes that a stream has buffered.
        while (templateId == NOTHING && count > 0)
        {
            count = stream.read(incoming);
            if (count < 0)
            {
                throw new EOFException(incoming.position() == 0 ?
                    "peer closed the connection" : "peer closed the connection within a message");
            }
            templateId = next();
        }
        return templateId;
    }

    /**
     * Waits for the next message. Drops the one before.
     *
     * @param deadlineNs a time of {@link System#nanoTime()}.
     * @return its template id.
     * @throws SocketTimeoutException if the deadline passed.
     * @throws ProtocolException      if the peer speaks something else, or a message is malformed or too long.
     * @throws EOFException           if the peer closed the connection.
     * @throws IOException            if the connection broke.
     */
    public int receive(final long deadlineNs) throws IOException
    {
        int templateId = poll();
        while (templateId == NOTHING)
        {
            await(interest(), deadlineNs, "no answer in time");
            templateId = poll();
        }
        return templateId;
    }

    /**
     * @return the message that {@link #poll} or {@link #receive} took, its SBE header at offset 0; valid until the
     *         next call of either.
     */
    public DirectBuffer message()
    {
        return message;
    }

    /**
     * @return room for one message of up to {@link Bootstrap#MAX_MESSAGE_LENGTH} bytes; valid until {@link #commit}.
     * @throws IOException if the peer has not read what was sent before.
     */
    public MutableDirectBuffer outgoing() throws IOException
    {
        final int needed = outgoing.position() + HEADER_LENGTH + Bootstrap.MAX_MESSAGE_LENGTH;
        if (needed > OUTGOING_CAPACITY)
        {
            throw new IOException("peer does not read: unread=" + outgoing.position());
        }
        if (needed > outgoing.capacity())
        {
            outgoing = allocate(needed).put(outgoing.flip());
        }
        outgoingMessage.wrap(outgoing.array(), outgoing.position() + HEADER_LENGTH, Bootstrap.MAX_MESSAGE_LENGTH);
        return outgoingMessage;
    }

    /**
     * Puts the message in {@link #outgoing} behind those that wait to be sent.
     *
     * @param length of SBE header and message in bytes.
     */
    public void commit(final int length)
    {
        final int start = outgoing.position();
        outgoing.putInt(start + LENGTH_OFFSET, length);
        outgoing.putInt(start + MAGIC_OFFSET, MAGIC);
        outgoing.position(start + HEADER_LENGTH + length);
    }

    /**
     * Writes what the socket takes now.
     *
     * @return whether all was written.
     * @throws IOException if the connection broke.
     */
    public boolean flush() throws IOException
    {
        outgoing.flip();
        try
        {
            stream.write(outgoing);
            return !outgoing.hasRemaining() && !stream.hasUnsent();
        }
        finally
        {
            outgoing.compact();
        }
    }

    /**
     * Drops what waits to be sent.
     */
    public void dropOutgoing()
    {
        outgoing.clear();
    }

    /**
     * @return what of its socket this waits for, as a selector's key has it, if it waits for a message as well.
     */
    public int interest()
    {
        if (stream.isBusy())
        {
            return 0;
        }
        final boolean isUnsent = stream.hasUnsent() || stream.isEstablished() && outgoing.position() > 0;
        return isUnsent ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    }

    /**
     * @return whether messages can be on their way: not before the handshake is over where they travel within TLS.
     */
    public boolean isEstablished()
    {
        return stream.isEstablished();
    }

    /**
     * @return the subject of the certificate that the peer has shown, or null.
     */
    public String peerSubject()
    {
        return stream.peerSubject();
    }

    /**
     * Goes on in the clear with a peer that does not speak TLS, so that it can be told.
     */
    public void answerInTheClear()
    {
        stream = new PlainStream(socket);
    }

    /**
     * Drops what has come.
     *
     * @return whether the peer has ended the connection.
     * @throws IOException if the connection broke.
     */
    public boolean discard() throws IOException
    {
        return stream.discard();
    }

    /**
     * Tells the peer that nothing more will come.
     *
     * @throws IOException if the connection broke.
     */
    public void shutdownOutput() throws IOException
    {
        stream.shutdownOutput();
    }

    /**
     * Commits a message and waits until all is written.
     *
     * @param length     of SBE header and message in bytes.
     * @param deadlineNs a time of {@link System#nanoTime()}.
     * @throws SocketTimeoutException if the deadline passed.
     * @throws IOException            if the connection broke.
     */
    public void send(final int length, final long deadlineNs) throws IOException
    {
        commit(length);
        while (!flush())
        {
            await(stream.isEstablished() ? SelectionKey.OP_WRITE : interest(), deadlineNs, "peer does not read");
        }
    }

    /**
     * Frees what {@link #send} and {@link #receive} wait with. It is made again if one of them has to wait after this.
     *
     * @throws IOException if the selector could not be closed.
     */
    public void endWaits() throws IOException
    {
        if (selector != null)
        {
            final Selector unused = selector;
            selector = null;
            key = null;
            unused.close();
        }
    }

    /**
     * Closes the connection. What waits to be sent is lost.
     *
     * @throws IOException if the socket could not be closed.
     */
    @Override
    public void close() throws IOException
    {
        try
        {
            endWaits();
        }
        finally
        {
            stream.close();
        }
    }

    private int next() throws ProtocolException
    {
        if (!isBegun)
        {
            checkPeer();
        }
        if (incoming.position() < HEADER_LENGTH)
        {
            return NOTHING;
        }
        if (incoming.getInt(MAGIC_OFFSET) != MAGIC)
        {
            throw new ProtocolException("peer speaks another protocol: it sent 0x" +
                Integer.toHexString(incoming.getInt(MAGIC_OFFSET)));
        }
        isBegun = true;
        if (!isGreeted)
        {
            isGreeted = true;
            if (incoming.getInt(LENGTH_OFFSET) == 0)
            {
                consumed = HEADER_LENGTH;
                dropConsumed();
                return next();
            }
        }
        final int available = incoming.position();
        final int length = incoming.getInt(LENGTH_OFFSET);
        if (length < 0 || length > maxIncomingLength)
        {
            throw new ProtocolException("message is too long: length=" + Integer.toUnsignedString(length) +
                " longest=" + maxIncomingLength);
        }
        final int whole = HEADER_LENGTH + length;
        if (available < whole)
        {
            if (incoming.capacity() < whole)
            {
                incoming = allocate(whole).put(incoming.flip());
            }
            return NOTHING;
        }
        message.wrap(incoming.array(), HEADER_LENGTH, length);
        consumed = whole;
        return MessageShape.check(message, length);
    }

    /** Detects other known protocols by the peer's first bytes. */
    private void checkPeer() throws ProtocolException
    {
        final int count = incoming.position();
        if (count >= HEADER_LENGTH && incoming.getInt(MAGIC_OFFSET) == MAGIC)
        {
            return;
        }
        if (ForeignProtocol.isTls(incoming, count))
        {
            throw new TlsMismatchException(true, "peer speaks TLS");
        }
        final String protocol = ForeignProtocol.nameOf(incoming, count);
        if (protocol != null)
        {
            throw new ForeignProtocolException(protocol);
        }
    }

    private void dropConsumed()
    {
        if (consumed > 0)
        {
            incoming.flip().position(consumed);
            incoming.compact();
            consumed = 0;
        }
    }

    /** Waits with one selector for the whole of a handshake: to open one takes five system calls. */
    private void await(final int interest, final long deadlineNs, final String what) throws IOException
    {
        final long remainingNs = deadlineNs - System.nanoTime();
        if (remainingNs <= 0)
        {
            throw new SocketTimeoutException(what + ": peer=" + socket.getRemoteAddress());
        }
        if (Thread.currentThread().isInterrupted())
        {
            throw new InterruptedIOException("interrupted: peer=" + socket.getRemoteAddress());
        }
        final long toSilenceNs = whenSilent == null || isBegun && !isGreetingOnly() ?
            remainingNs : silenceNs - System.nanoTime();
        if (toSilenceNs <= 0)
        {
            final Runnable action = whenSilent;
            whenSilent = null;
            action.run();
            return;
        }
        if (selector == null)
        {
            selector = Selector.open();
        }
        if (key == null)
        {
            key = socket.register(selector, interest);
        }
        key.interestOps(interest);
        selector.select(Math.max(1, Math.min(remainingNs, toSilenceNs) / 1_000_000));
        selector.selectedKeys().clear();
    }

    private boolean isGreetingOnly()
    {
        return message.capacity() == 0;
    }

    private static ByteBuffer allocate(final int capacity)
    {
        return ByteBuffer.allocate(capacity).order(LITTLE_ENDIAN);
    }
}
