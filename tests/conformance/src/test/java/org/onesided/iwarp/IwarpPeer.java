package org.onesided.iwarp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import org.onesided.testing.HangGuard;

/**
 * One end of an iWARP connection on a plain socket: blocking, allocating, and without any cleverness. What it is told
 * to send it sends, right or wrong. Not thread-safe.
 */
final class IwarpPeer implements Closeable
{
    /** Bytes of a message in each segment, so that small tests have messages of several. */
    static final int SEGMENT_PAYLOAD = 1000;

    private final Socket socket;
    private final DataInputStream input;
    private final OutputStream output;
    private int sends;
    private int reads;

    private IwarpPeer(final Socket socket) throws IOException
    {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int)HangGuard.seconds(20) * 1000);
        input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        output = socket.getOutputStream();
    }

    /** A socket that nothing was said on. */
    static IwarpPeer connect(final int port) throws IOException
    {
        return connect("127.0.0.1", port);
    }

    static IwarpPeer connect(final String host, final int port) throws IOException
    {
        return new IwarpPeer(new Socket(host, port));
    }

    /** Waits for one that connects. */
    static IwarpPeer accept(final ServerSocket listener) throws IOException
    {
        listener.setSoTimeout((int)HangGuard.seconds(20) * 1000);
        return new IwarpPeer(listener.accept());
    }

    /** Sends a request, and gives the reply. */
    StartUp request(final StartUp request) throws IOException
    {
        send(request.bytes());
        return startUp();
    }

    StartUp startUp() throws IOException
    {
        return StartUp.read(input);
    }

    /** The zero-length RDMA WRITE that lets the responder send. */
    void readyToReceive() throws IOException
    {
        send(Segment.tagged(Segment.WRITE, true, 0, 0, new byte[0]));
    }

    void send(final byte[] bytes) throws IOException
    {
        output.write(bytes);
    }

    void send(final Segment segment) throws IOException
    {
        send(Fpdu.encode(segment.bytes()));
    }

    void message(final byte[] message, final boolean isSolicited) throws IOException
    {
        sends++;
        final int opcode = isSolicited ? Segment.SEND_SOLICITED : Segment.SEND;
        int offset = 0;
        do
        {
            final int end = Math.min(message.length, offset + SEGMENT_PAYLOAD);
            send(Segment.untagged(
                opcode, end == message.length, Segment.SEND_QUEUE, sends, offset,
                Arrays.copyOfRange(message, offset, end)));
            offset = end;
        }
        while (offset < message.length);
    }

    /** In segments, as the receiver must not care. */
    void write(final int stag, final long to, final byte[] bytes) throws IOException
    {
        tagged(Segment.WRITE, stag, to, bytes);
    }

    void respond(final ReadRequest request, final byte[] bytes) throws IOException
    {
        tagged(Segment.READ_RESPONSE, request.sinkStag(), request.sinkTo(), bytes);
    }

    private void tagged(final int opcode, final int stag, final long to, final byte[] bytes) throws IOException
    {
        int offset = 0;
        do
        {
            final int end = Math.min(bytes.length, offset + SEGMENT_PAYLOAD);
            send(Segment.tagged(
                opcode, end == bytes.length, stag, to + offset, Arrays.copyOfRange(bytes, offset, end)));
            offset = end;
        }
        while (offset < bytes.length);
    }

    void read(final ReadRequest request) throws IOException
    {
        send(readSegment(request));
    }

    /** The next READ request, not sent yet. */
    Segment readSegment(final ReadRequest request)
    {
        reads++;
        return Segment.untagged(Segment.READ_REQUEST, true, Segment.READ_QUEUE, reads, 0, request.bytes());
    }

    /** The next segment; null at the stream's end. */
    Segment next() throws IOException
    {
        final byte[] ulpdu = Fpdu.read(input);
        return ulpdu == null ? null : Segment.of(ulpdu);
    }

    /** All of a READ's response, whose segments must follow each other. */
    byte[] response(final ReadRequest request) throws IOException
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        Segment segment;
        do
        {
            segment = next();
            if (segment == null || !segment.isTagged() || segment.opcode() != Segment.READ_RESPONSE ||
                segment.stag() != request.sinkStag() || segment.to() != request.sinkTo() + all.size())
            {
                throw new ProtocolException("no response to the READ: so far=" + all.size() + " segment=" + segment);
            }
            all.write(segment.payload());
        }
        while (!segment.isLast());
        return all.toByteArray();
    }

    /** A whole message by SEND, whose segments must follow each other. */
    byte[] message(final int msn, final int opcode) throws IOException
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        Segment segment;
        do
        {
            segment = next();
            if (segment == null || segment.isTagged() || segment.opcode() != opcode ||
                segment.queue() != Segment.SEND_QUEUE || segment.msn() != msn || segment.offset() != all.size())
            {
                throw new ProtocolException("no message: so far=" + all.size() + " segment=" + segment);
            }
            all.write(segment.payload());
        }
        while (!segment.isLast());
        return all.toByteArray();
    }

    /** Skips what was under way, and gives the TERMINATE, behind which the stream must end; null if it just ends. */
    Terminate terminate() throws IOException
    {
        Segment segment = next();
        while (segment != null && segment.opcode() != Segment.TERMINATE)
        {
            segment = next();
        }
        if (segment != null && next() != null)
        {
            throw new ProtocolException("something follows a TERMINATE");
        }
        return segment == null ? null : Terminate.of(segment);
    }

    /** Whether the device has closed the connection, orderly or not, without another word. */
    boolean isClosedByDevice() throws IOException
    {
        try
        {
            return input.read() < 0;
        }
        catch (final SocketException e)
        {
            return true;
        }
    }

    Socket socket()
    {
        return socket;
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
