package org.onesided.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.ToIntFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.bootstrap.AccessWord;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.codec.AccessesEncoder;
import org.onesided.protocol.bootstrap.codec.AnnounceEncoder;
import org.onesided.protocol.bootstrap.codec.BlankEncoder;
import org.onesided.protocol.bootstrap.codec.ChangeEncoder;
import org.onesided.protocol.bootstrap.codec.ChangingEncoder;
import org.onesided.protocol.bootstrap.codec.ConfirmEncoder;
import org.onesided.protocol.bootstrap.codec.ConnectEncoder;
import org.onesided.protocol.bootstrap.codec.ConnectedEncoder;
import org.onesided.protocol.bootstrap.codec.EvictionPolicy;
import org.onesided.protocol.bootstrap.codec.FollowersEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.MemberEncoder;
import org.onesided.protocol.bootstrap.codec.HelloEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.OfferEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedEncoder;
import org.onesided.protocol.bootstrap.codec.RetireEncoder;
import org.onesided.protocol.bootstrap.codec.SamplingEncoder;
import org.onesided.protocol.bootstrap.codec.WelcomeEncoder;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

/**
 * Messages of the bootstrap, framed.
 */
public final class BootstrapSeeds
{
    private static final int MAGIC = 0x564B_5331;
    private static final int CREDITS = 8;
    private static final int MESSAGE_LENGTH = 8192;
    private static final MessageHeaderEncoder HEADER = new MessageHeaderEncoder();
    private static final List<Endpoint> ENDPOINTS =
        List.of(new Endpoint(7, 8, new Gid(9, 10), 11, 4096, 16, 16, new byte[]{1, 2, 3}));

    private BootstrapSeeds()
    {
    }

    /**
     * @param kind  of the device, empty to be offered some.
     * @param token to be sent.
     * @return a Hello.
     */
    public static byte[] hello(final String kind, final String token)
    {
        return framed((buffer) -> new HelloEncoder().wrapAndApplyHeader(buffer, 0, HEADER)
            .protocolVersion(Bootstrap.VERSION).features(0).resumeServerLife(0).resumeSession(0).resumeSecretHigh(0)
            .resumeSecretLow(0).shard(Bootstrap.ALL_SHARDS)
                .device(kind).putToken(token.getBytes(US_ASCII), 0, token.length()).limit());
    }

    /**
     * @return a Welcome.
     */
    public static byte[] welcome()
    {
        return framed((buffer) -> new WelcomeEncoder().wrapAndApplyHeader(buffer, 0, HEADER)
            .protocolVersion(Bootstrap.VERSION).features(0).serverLife(3).tableId(4).session(5).secretHigh(6)
            .secretLow(7).resumed((short)0).shards(1).credits(CREDITS).messageLength(MESSAGE_LENGTH)
            .maxValueLength(64 << 20).leaseMs(10_000).hugePages((short)0).memory(1 << 30)
            .region(8).defaultTtlMs(9).eviction(EvictionPolicy.NONE).limit());
    }

    /**
     * @return a Refused.
     */
    public static byte[] refused()
    {
        return framed((buffer) ->
        {
            final RefusedEncoder refused = new RefusedEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
            refused.code(RefusalCode.CAPACITY).reason("no room");
            return refused.limit();
        });
    }

    /**
     * @return an Offer.
     */
    public static byte[] offer()
    {
        return framed((buffer) ->
        {
            final OfferEncoder offer = new OfferEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
            offer.devicesCount(2).next().name("shm").next().name("tcp:127.0.0.1:7000");
            return offer.limit();
        });
    }

    /**
     * @return a Blank.
     */
    public static byte[] blank()
    {
        return framed((buffer) -> new BlankEncoder().wrapAndApplyHeader(buffer, 0, HEADER)
            .peerTls((short)1).prepared(5).peerAddress("127.0.0.1:2").zone("rack-7").limit());
    }

    /**
     * @return a Followers.
     */
    public static byte[] followers()
    {
        return framed((buffer) ->
        {
            final FollowersEncoder followers = new FollowersEncoder().wrapAndApplyHeader(buffer, 0, HEADER).diskFree(9);
            followers.allCount(1).next().shard(0).member(3).behind(2).inSync((short)1);
            followers.ledCount(1).next().partition(0).stage((short)3).restMs(0).held(1).granted(2).proofs(3);
            followers.keptCount(1).next().shard(0);
            return followers.zone("rack-7").limit();
        });
    }

    /**
     * @return a Member.
     */
    public static byte[] member()
    {
        return framed((buffer) ->
        {
            final MemberEncoder member = new MemberEncoder().wrapAndApplyHeader(buffer, 0, HEADER)
                .self(1).next(4).tableId(5).leaseMs(1000).shards(2);
            member.membersCount(2)
                .next().number(1).address("127.0.0.1:1").peerAddress("127.0.0.1:2")
                .next().number(3).address("[::1]:1").peerAddress("[::1]:2");
            member.replicasCount(2).next().shard(0).number(1).next().shard(0).number(3);
            return member.putSessionKey(new byte[32], 0, 32).limit();
        });
    }

    /**
     * @return an Announce.
     */
    public static byte[] announce()
    {
        return framed((buffer) -> new AnnounceEncoder().wrapAndApplyHeader(buffer, 0, HEADER)
            .number(4).gone((short)0).address("127.0.0.1:3").peerAddress("127.0.0.1:4").limit());
    }

    /**
     * @return a Change.
     */
    public static byte[] change()
    {
        return framed((buffer) ->
        {
            final ChangeEncoder change = new ChangeEncoder().wrapAndApplyHeader(buffer, 0, HEADER).shard(1);
            change.beforeCount(2).next().number(1).next().number(3);
            change.afterCount(1).next().number(4).address("127.0.0.1:3").peerAddress("127.0.0.1:4");
            return change.limit();
        });
    }

    /**
     * @return a Changing.
     */
    public static byte[] changing()
    {
        return framed((buffer) ->
            new ChangingEncoder().wrapAndApplyHeader(buffer, 0, HEADER).done((short)0).behind(7).limit());
    }

    /**
     * @return a Connect.
     */
    public static byte[] connect()
    {
        return framed((buffer) ->
        {
            final ConnectEncoder connect = new ConnectEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
            Endpoints.encode(connect, ENDPOINTS);
            return connect.limit();
        });
    }

    /**
     * @return a Connected.
     */
    public static byte[] connected()
    {
        return framed((buffer) ->
        {
            final ConnectedEncoder connected = new ConnectedEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
            connected.directory(4096).releaseEpoch(3);
            Endpoints.encode(connected, ENDPOINTS);
            connected.segmentsCount(2).next().tableOffset(0).length(1 << 20).address(1 << 30).remoteKey(17)
                .next().tableOffset(1 << 20).length(4096).address(1 << 24).remoteKey(18);
            return connected.limit();
        });
    }

    /**
     * @return a Ready.
     */
    public static byte[] ready()
    {
        return framed((buffer) -> new ReadyEncoder().wrapAndApplyHeader(buffer, 0, HEADER).limit());
    }

    /**
     * @return a Retire.
     */
    public static byte[] retire()
    {
        return framed((buffer) ->
        {
            final RetireEncoder retire = new RetireEncoder().wrapAndApplyHeader(buffer, 0, HEADER).epoch(4);
            retire.shardsCount(2).next().splitPoint(3).next().splitPoint(0);
            return retire.limit();
        });
    }

    /**
     * @return a Confirm.
     */
    public static byte[] confirm()
    {
        return framed((buffer) -> new ConfirmEncoder().wrapAndApplyHeader(buffer, 0, HEADER).epoch(4).limit());
    }

    /**
     * @return an Accesses.
     */
    public static byte[] accesses()
    {
        return framed((buffer) ->
        {
            final AccessesEncoder accesses = new AccessesEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
            accesses.sampling(5).dropped(1);
            accesses.shardsCount(2)
                .next().shard(0).putWords(new byte[3 * AccessWord.LENGTH], 0, 3 * AccessWord.LENGTH)
                .next().shard(77).putWords(new byte[AccessWord.LENGTH], 0, AccessWord.LENGTH);
            return accesses.limit();
        });
    }

    /**
     * @return a Sampling.
     */
    public static byte[] sampling()
    {
        return framed((buffer) ->
            new SamplingEncoder().wrapAndApplyHeader(buffer, 0, HEADER).bits((short)5).limit());
    }

    /**
     * @return a Heartbeat.
     */
    public static byte[] heartbeat()
    {
        return framed((buffer) ->
        {
            final HeartbeatEncoder heartbeat = new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
            SessionTotals.NONE.write(heartbeat);
            return heartbeat.limit();
        });
    }

    /**
     * @return a Goodbye.
     */
    public static byte[] goodbye()
    {
        return framed((buffer) ->
        {
            final GoodbyeEncoder goodbye = new GoodbyeEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
            goodbye.reason("that is all");
            return goodbye.limit();
        });
    }

    /**
     * @param parts some bytes each.
     * @return all in one.
     */
    public static byte[] join(final byte[]... parts)
    {
        int length = 0;
        for (final byte[] part : parts)
        {
            length += part.length;
        }
        final ByteBuffer joined = ByteBuffer.allocate(length);
        for (final byte[] part : parts)
        {
            joined.put(part);
        }
        return joined.array();
    }

    private static byte[] framed(final ToIntFunction<UnsafeBuffer> encoder)
    {
        final byte[] message = new byte[Bootstrap.MAX_MESSAGE_LENGTH];
        final int length = encoder.applyAsInt(new UnsafeBuffer(message));
        return ByteBuffer.allocate(2 * Integer.BYTES + length).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(length).putInt(MAGIC).put(message, 0, length).array();
    }
}
