package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.codec.AccessesEncoder;
import org.onesided.protocol.bootstrap.codec.ConfirmEncoder;
import org.onesided.protocol.bootstrap.codec.ConnectEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.HelloEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;
import org.onesided.protocol.bootstrap.codec.RetireDecoder;
import org.onesided.protocol.bootstrap.codec.WelcomeDecoder;

/**
 * The client's side of the TCP connection, one message at a time, right or wrong.
 */
final class TestBootstrap implements AutoCloseable
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageChannel channel;
    private long releaseEpoch;
    private long features;

    record Welcome(long life, long session, long secretHigh, long secretLow, boolean isResumed, int shards,
        int credits, int messageLength, long leaseMs)
    {
    }

    record Refusal(RefusalCode code, String reason)
    {
    }

    TestBootstrap(final InetSocketAddress address) throws IOException
    {
        channel = new MessageChannel(SocketChannel.open(address), Bootstrap.MAX_MESSAGE_LENGTH);
    }

    /** From one of this machine's addresses. */
    TestBootstrap(final InetSocketAddress address, final String from) throws IOException
    {
        final SocketChannel socket = SocketChannel.open();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(address);
        channel = new MessageChannel(socket, Bootstrap.MAX_MESSAGE_LENGTH);
    }

    MessageChannel channel()
    {
        return channel;
    }

    Welcome hello(final Welcome resume) throws IOException
    {
        return hello(Bootstrap.VERSION, "shm", "", resume);
    }

    Welcome hello(final int version, final String device, final String token, final Welcome resume) throws IOException
    {
        sendHello(version, device, token, resume);
        return welcome();
    }

    /** The answer to a hello. */
    Welcome welcome() throws IOException
    {
        final int templateId = channel.receive(deadline());
        if (templateId != WelcomeDecoder.TEMPLATE_ID)
        {
            throw new IOException("not welcome: " + refusal(templateId));
        }
        final WelcomeDecoder decoder = new WelcomeDecoder()
            .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
        features = decoder.features();
        return new Welcome(decoder.serverLife(), decoder.session(), decoder.secretHigh(), decoder.secretLow(),
            decoder.resumed() == 1, decoder.shards(), decoder.credits(), (int)decoder.messageLength(),
            decoder.leaseMs());
    }

    /** Whether the server said in its latest welcome that it takes several puts in a message. */
    boolean isOfferedBatches()
    {
        return (features & Bootstrap.BATCHES) != 0;
    }

    /** Whether the server has said nothing that was not taken yet. */
    boolean isSilent() throws IOException
    {
        return channel.poll() == MessageChannel.NOTHING;
    }

    /** Asks for a session of one shard. */
    void sendHello(final int shard, final String device) throws IOException
    {
        sendHello(Bootstrap.VERSION, device, "", null, shard);
    }

    void sendHello(final int version, final String device, final String token, final Welcome resume)
        throws IOException
    {
        sendHello(version, device, token, resume, Bootstrap.ALL_SHARDS);
    }

    private void sendHello(
        final int version, final String device, final String token, final Welcome resume, final int shard)
        throws IOException
    {
        final byte[] tokenBytes = token.getBytes(UTF_8);
        final HelloEncoder hello = new HelloEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, header)
            .protocolVersion(version)
            .features(-1)
            .resumeServerLife(resume == null ? 0 : resume.life)
            .resumeSession(resume == null ? 0 : resume.session)
            .resumeSecretHigh(resume == null ? 0 : resume.secretHigh)
            .resumeSecretLow(resume == null ? 0 : resume.secretLow)
            .shard(shard)
            .device(device)
            .putToken(tokenBytes, 0, tokenBytes.length);
        channel.send(hello.limit(), deadline());
    }

    /** Asks for queue pairs, connected to one that there is not. */
    void connectToNowhere() throws IOException
    {
        final ConnectEncoder connect = new ConnectEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header);
        connect.endpointsCount(1).next().queuePair(77).lid(0).gidHigh(1).gidLow(2).psn(3).mtu(4096).readDepth(1)
            .initiatorDepth(1).putDeviceBytes(new byte[64], 0, 64);
        channel.send(connect.limit(), deadline());
    }

    /** Names of the server's devices. */
    List<String> offer() throws IOException
    {
        final int templateId = channel.receive(deadline());
        if (templateId != OfferDecoder.TEMPLATE_ID)
        {
            throw new IOException("no offer: " + refusal(templateId));
        }
        final List<String> names = new ArrayList<>();
        new OfferDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()).devices()
            .forEach((device) -> names.add(device.name()));
        return names;
    }

    Refusal refusal() throws IOException
    {
        return refusal(channel.receive(deadline()));
    }

    Refusal refusal(final int templateId)
    {
        if (templateId == RefusedDecoder.TEMPLATE_ID)
        {
            final RefusedDecoder refused = new RefusedDecoder()
                .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
            return new Refusal(refused.code(), refused.reason());
        }
        return new Refusal(null, "template=" + templateId);
    }

    String goodbye() throws IOException
    {
        int templateId = channel.receive(deadline());
        while (templateId != GoodbyeDecoder.TEMPLATE_ID)
        {
            templateId = channel.receive(deadline());
        }
        return new GoodbyeDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()).reason();
    }

    void heartbeat() throws IOException
    {
        heartbeat(SessionTotals.NONE);
    }

    void heartbeat(final SessionTotals totals) throws IOException
    {
        final HeartbeatEncoder heartbeat = new HeartbeatEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header);
        totals.write(heartbeat);
        channel.send(heartbeat.limit(), deadline());
    }

    /** Epoch of what was retired before the client connected. */
    long releaseEpoch()
    {
        return releaseEpoch;
    }

    void releaseEpoch(final long epoch)
    {
        releaseEpoch = epoch;
    }

    /** The epoch of what the server retires next. */
    long retired() throws IOException
    {
        int templateId = channel.receive(deadline());
        while (templateId == HeartbeatDecoder.TEMPLATE_ID)
        {
            templateId = channel.receive(deadline());
        }
        if (templateId != RetireDecoder.TEMPLATE_ID)
        {
            throw new IOException("nothing is retired: template=" + templateId);
        }
        return new RetireDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()).epoch();
    }

    void confirm(final long epoch) throws IOException
    {
        channel.send(new ConfirmEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header).epoch(epoch).limit(),
            deadline());
    }

    /** Reports sampled lookups of one shard. */
    void accesses(final int shard, final byte[] words) throws IOException
    {
        final AccessesEncoder accesses = new AccessesEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header);
        accesses.sampling(1).dropped(0);
        accesses.shardsCount(1).next().shard(shard).putWords(words, 0, words.length);
        channel.send(accesses.limit(), deadline());
    }

    /** The sums that the server answers a heartbeat with. */
    SessionTotals totals() throws IOException
    {
        final int templateId = channel.receive(deadline());
        if (templateId != HeartbeatDecoder.TEMPLATE_ID)
        {
            throw new IOException("no heartbeat: template=" + templateId);
        }
        return SessionTotals.read(
            new HeartbeatDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()));
    }

    /** A heartbeat of the first version, which told nothing. */
    void oldHeartbeat() throws IOException
    {
        header.wrap(channel.outgoing(), 0).blockLength(0).templateId(HeartbeatEncoder.TEMPLATE_ID)
            .schemaId(HeartbeatEncoder.SCHEMA_ID).version(0);
        channel.send(MessageHeaderEncoder.ENCODED_LENGTH, deadline());
    }

    void sayGoodbye() throws IOException
    {
        channel.send(new GoodbyeEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header)
            .reason("done").limit(), deadline());
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }

    static long deadline()
    {
        return System.nanoTime() + TIMEOUT_NS;
    }
}
