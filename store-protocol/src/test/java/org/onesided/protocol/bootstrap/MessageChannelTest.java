package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectEncoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.HelloEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

class MessageChannelTest
{
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private SocketChannel raw;
    private MessageChannel receiver;

    @BeforeEach
    void connect() throws IOException
    {
        try (ServerSocketChannel server = ServerSocketChannel.open())
        {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            raw = SocketChannel.open(server.getLocalAddress());
            receiver = new MessageChannel(server.accept(), Bootstrap.MAX_HELLO_LENGTH);
        }
    }

    @AfterEach
    void close() throws IOException
    {
        raw.close();
        receiver.close();
    }

    @Test
    void shouldCarryAMessageThatArrivesByteByByte() throws IOException
    {
        final ByteBuffer frame = hello("shm", "secret");
        while (frame.remaining() > 1)
        {
            raw.write(frame.slice(frame.position(), 1));
            frame.position(frame.position() + 1);
            assertEquals(MessageChannel.NOTHING, receiver.poll());
        }
        raw.write(frame);

        assertEquals(HelloDecoder.TEMPLATE_ID, receiver.receive(deadline()));
        final HelloDecoder hello = new HelloDecoder();
        hello.wrapAndApplyHeader(receiver.message(), 0, new MessageHeaderDecoder());
        assertEquals("shm", hello.device());
        assertEquals("secret".length(), hello.tokenLength());
    }

    @Test
    void shouldSeparateMessagesThatArriveTogether() throws IOException
    {
        final ByteBuffer hello = hello("tcp", "");
        final ByteBuffer heartbeat = heartbeat();
        raw.write(new ByteBuffer[]{heartbeat.duplicate(), hello, heartbeat});

        assertEquals(HeartbeatDecoder.TEMPLATE_ID, receiver.receive(deadline()));
        assertEquals(HelloDecoder.TEMPLATE_ID, receiver.receive(deadline()));
        assertEquals(HeartbeatDecoder.TEMPLATE_ID, receiver.receive(deadline()));
        assertEquals(MessageChannel.NOTHING, receiver.poll());
    }

    @Test
    void shouldRefuseAnotherProtocol() throws IOException
    {
        raw.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes(US_ASCII)));
        assertThrows(ProtocolException.class, () -> receiver.receive(deadline()));
    }

    @Test
    void shouldTakeOneGreetingAndNoMore() throws IOException
    {
        assertFalse(receiver.isGreeted());
        raw.write(new ByteBuffer[]{MessageChannel.greeting(), heartbeat()});
        assertEquals(HeartbeatDecoder.TEMPLATE_ID, receiver.receive(deadline()));
        assertTrue(receiver.isGreeted());
        raw.write(MessageChannel.greeting());
        assertThrows(ProtocolException.class, () -> receiver.receive(deadline()));
    }

    @Test
    void shouldNameTheProtocolByItsFirstBytes() throws IOException
    {
        assertNamed("HTTP", "HTTP/1.1 400 Bad Request\r\n");
        assertNamed("HTTP", "HTTP/");
        assertNamed("Redis", "-ERR unknown command\r\n");
        assertNamed("SSH", "SSH-");
        assertNamed("memcached", "ERROR\r\n");
        assertNamed("SMTP or FTP", "220 ");
        assertNamed("MySQL", "J\0\0\0\n8.0.36\0");
    }

    private void assertNamed(final String protocol, final String bytes) throws IOException
    {
        connect();
        raw.write(ByteBuffer.wrap(bytes.getBytes(US_ASCII)));
        assertEquals(protocol, assertThrows(
            ForeignProtocolException.class, () -> receiver.receive(deadline())).protocol());
        close();
    }

    @Test
    void shouldTellTlsByAnAlertThatIsShorterThanAFrame() throws IOException
    {
        raw.write(ByteBuffer.wrap(new byte[]{21, 3, 3, 0, 2, 2, 70}));
        assertTrue(assertThrows(
            TlsMismatchException.class, () -> receiver.receive(deadline())).isPeerWithin());
    }

    @Test
    void shouldTellOfSilenceOnceAndGoOn() throws IOException
    {
        final AtomicInteger told = new AtomicInteger();
        receiver.onSilence(System.nanoTime(), () ->
        {
            told.incrementAndGet();
            write(heartbeat());
        });
        assertEquals(HeartbeatDecoder.TEMPLATE_ID, receiver.receive(deadline()));
        assertEquals(1, told.get());
    }

    private void write(final ByteBuffer bytes)
    {
        try
        {
            raw.write(bytes);
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldRefuseALengthBeyondTheLimitBeforeItArrives() throws IOException
    {
        for (final int length : new int[]{Bootstrap.MAX_HELLO_LENGTH + 1, Integer.MAX_VALUE, -1})
        {
            connect();
            raw.write(frame(length).flip());
            assertThrows(ProtocolException.class, () -> receiver.receive(deadline()));
            close();
        }
    }

    @Test
    void shouldRefuseEveryTruncationOfAMessage() throws IOException
    {
        final ByteBuffer whole = hello("shm", "secret");
        final int wholeLength = whole.remaining() - FrameDescriptor.HEADER_LENGTH;
        for (int length = 0; length < wholeLength; length++)
        {
            connect();
            raw.write(MessageChannel.greeting());
            final ByteBuffer cut = frame(length);
            cut.put(whole.slice(FrameDescriptor.HEADER_LENGTH, length));
            raw.write(cut.flip());
            assertThrows(ProtocolException.class, () -> receiver.receive(deadline()), "length=" + length);
            close();
        }
    }

    @Test
    void shouldRefuseBytesTooMany() throws IOException
    {
        final ByteBuffer whole = hello("shm", "secret");
        final int length = whole.remaining() - FrameDescriptor.HEADER_LENGTH;
        final ByteBuffer longer = frame(length + 1);
        longer.put(whole.position(FrameDescriptor.HEADER_LENGTH)).put((byte)0);
        raw.write(longer.flip());
        assertThrows(ProtocolException.class, () -> receiver.receive(deadline()));
    }

    @Test
    void shouldRefuseAGroupThatStatesMoreThanThereIs() throws IOException
    {
        final MessageChannel sender = new MessageChannel(raw, Bootstrap.MAX_HELLO_LENGTH);
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(sender.outgoing(), 0, header);
        Endpoints.encode(connect, List.of());
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength();
        sender.outgoing().putShort(length - Short.BYTES, (short)0xFFFF);
        sender.send(length, deadline());
        assertThrows(ProtocolException.class, () -> receiver.receive(deadline()));
    }

    @Test
    void shouldTellACloseFromACloseAmidAMessage() throws IOException
    {
        raw.write(hello("shm", "").limit(9));
        assertEquals(MessageChannel.NOTHING, receiver.poll());
        raw.close();
        final EOFException amid = assertThrows(EOFException.class, () -> receiver.receive(deadline()));
        assertTrue(amid.getMessage().contains("within a message"), amid.getMessage());
    }

    @Test
    void shouldGiveUpAtTheDeadline()
    {
        assertThrows(SocketTimeoutException.class, () -> receiver.receive(System.nanoTime() + 1_000_000));
    }

    @Test
    void shouldCarryEndpoints() throws IOException
    {
        final List<Endpoint> endpoints = List.of(
            new Endpoint(0xFFFF_FFF0, 7, new Gid(-1, 2), 0xFF_FFFF, 4096, 16, 8, new byte[]{1, 2, 3}),
            new Endpoint(2, 0, null, 0, 1024, 1, 1, new byte[0]));
        final MessageChannel sender = new MessageChannel(raw, Bootstrap.MAX_MESSAGE_LENGTH);
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(sender.outgoing(), 0, header);
        Endpoints.encode(connect, endpoints);
        sender.send(MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength(), deadline());

        assertEquals(ConnectDecoder.TEMPLATE_ID, receiver.receive(deadline()));
        final ConnectDecoder decoder = new ConnectDecoder();
        decoder.wrapAndApplyHeader(receiver.message(), 0, new MessageHeaderDecoder());
        final List<Endpoint> decoded = Endpoints.decode(decoder);
        assertEquals(2, decoded.size());
        assertEquals(endpoints.get(0).queuePairNumber(), decoded.get(0).queuePairNumber());
        assertEquals(endpoints.get(0).gid(), decoded.get(0).gid());
        assertEquals(endpoints.get(0).psn(), decoded.get(0).psn());
        assertArrayEquals(endpoints.get(0).deviceBytes(), decoded.get(0).deviceBytes());
        assertEquals(endpoints.get(1).gid(), decoded.get(1).gid());
        assertArrayEquals(endpoints.get(1).deviceBytes(), decoded.get(1).deviceBytes());
    }

    @Test
    void shouldStopQueueingForAPeerThatDoesNotRead() throws IOException
    {
        final MessageChannel sender = new MessageChannel(raw, Bootstrap.MAX_MESSAGE_LENGTH);
        assertThrows(IOException.class, () ->
        {
            while (true)
            {
                sender.outgoing();
                sender.commit(Bootstrap.MAX_MESSAGE_LENGTH);
                sender.flush();
            }
        });
    }

    private ByteBuffer hello(final String device, final String token)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(buffer, 0, header).protocolVersion(Bootstrap.VERSION).device(device)
            .putToken(token.getBytes(US_ASCII), 0, token.length());
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + hello.encodedLength();
        return frame(length).put(buffer.byteArray(), 0, length).flip();
    }

    private ByteBuffer heartbeat()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
        final HeartbeatEncoder heartbeat = new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header);
        SessionTotals.NONE.write(heartbeat);
        final int length = heartbeat.limit();
        return frame(length).put(buffer.byteArray(), 0, length).flip();
    }

    private static ByteBuffer frame(final int length)
    {
        return ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN).putInt(length).putInt(FrameDescriptor.MAGIC);
    }

    private static long deadline()
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    }
}
