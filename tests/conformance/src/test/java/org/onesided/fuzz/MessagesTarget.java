package org.onesided.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.codec.AccessesDecoder;
import org.onesided.protocol.bootstrap.codec.AnnounceDecoder;
import org.onesided.protocol.bootstrap.codec.BackupPartDecoder;
import org.onesided.protocol.bootstrap.codec.BackupStateDecoder;
import org.onesided.protocol.bootstrap.codec.BlankDecoder;
import org.onesided.protocol.bootstrap.codec.ChangeDecoder;
import org.onesided.protocol.bootstrap.codec.ChangingDecoder;
import org.onesided.protocol.bootstrap.codec.ConfirmDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectedDecoder;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.FormDecoder;
import org.onesided.protocol.bootstrap.codec.FormedDecoder;
import org.onesided.protocol.bootstrap.codec.FoundDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MemberDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.ReadyDecoder;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;
import org.onesided.protocol.bootstrap.codec.RetireDecoder;
import org.onesided.protocol.bootstrap.codec.SamplingDecoder;
import org.onesided.protocol.bootstrap.codec.TakeDecoder;
import org.onesided.protocol.bootstrap.codec.TransferDecoder;
import org.onesided.protocol.bootstrap.codec.TransferredDecoder;
import org.onesided.protocol.bootstrap.codec.WelcomeDecoder;

/**
 * Messages of the bootstrap in both directions: the frames and, of each message that passes the check of its shape, all
 * fields. The bytes come through a socket, in pieces that depend on the input.
 */
public final class MessagesTarget implements FuzzTarget
{
    private static final int PIECES = 50;
    private static final int MAX_POLLS = 100_000;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ByteBuffer rest = ByteBuffer.allocate(64 << 10);
    private SocketChannel writer;
    private SocketChannel reader;

    /**
     * For {@code ServiceLoader}.
     */
    public MessagesTarget()
    {
    }

    @Override
    public String name()
    {
        return "messages";
    }

    @Override
    public int maxLength()
    {
        return 40 << 10;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return (256L << 10) + 128L * inputLength;
    }

    @Override
    public List<byte[]> seeds()
    {
        return List.of(
            BootstrapSeeds.join(BootstrapSeeds.hello("shm", "secret"), BootstrapSeeds.connect(), BootstrapSeeds.ready(),
                BootstrapSeeds.heartbeat(), BootstrapSeeds.goodbye()),
            BootstrapSeeds.join(BootstrapSeeds.welcome(), BootstrapSeeds.connected(), BootstrapSeeds.ready()),
            BootstrapSeeds.join(BootstrapSeeds.retire(), BootstrapSeeds.confirm(), BootstrapSeeds.accesses(),
                BootstrapSeeds.sampling()),
            BootstrapSeeds.accesses(), BootstrapSeeds.member(),
            BootstrapSeeds.blank(), BootstrapSeeds.followers(),
            BootstrapSeeds.join(BootstrapSeeds.announce(), BootstrapSeeds.change(), BootstrapSeeds.changing()),
            BootstrapSeeds.hello("", ""), BootstrapSeeds.refused(), BootstrapSeeds.offer(), BootstrapSeeds.connect(),
            BootstrapSeeds.connected(), BootstrapSeeds.heartbeat(), BootstrapSeeds.goodbye());
    }

    @Override
    public void feed(final byte[] input) throws IOException
    {
        if (writer == null)
        {
            open();
        }
        final int piece = input.length == 0 ? 1 :
            Math.max(1, (input[input.length - 1] & 0x3F) * input.length / PIECES + input.length / PIECES);
        final MessageChannel channel = new MessageChannel(reader, Bootstrap.MAX_MESSAGE_LENGTH);
        int written = 0;
        try
        {
            for (int polls = 0;; polls++)
            {
                if (polls == MAX_POLLS)
                {
                    throw new AssertionError("messages never end: polls=" + polls);
                }
                final int templateId = channel.poll();
                if (templateId != MessageChannel.NOTHING)
                {
                    decode(templateId, channel.message());
                }
                else if (written == input.length)
                {
                    break;
                }
                else
                {
                    written += writer.write(ByteBuffer.wrap(input, written, Math.min(piece, input.length - written)));
                }
            }
        }
        catch (final IOException e)
        {
            Refusal.check(e);
        }
        discardRest();
    }

    private void decode(final int templateId, final DirectBuffer message) throws IOException
    {
        switch (templateId)
        {
            case HelloDecoder.TEMPLATE_ID ->
            {
                final HelloDecoder hello = new HelloDecoder().wrapAndApplyHeader(message, 0, header);
                hello.device();
                final byte[] token = new byte[hello.tokenLength()];
                hello.getToken(token, 0, token.length);
            }
            case WelcomeDecoder.TEMPLATE_ID ->
                new WelcomeDecoder().wrapAndApplyHeader(message, 0, header).evictionRaw();
            case RefusedDecoder.TEMPLATE_ID -> new RefusedDecoder().wrapAndApplyHeader(message, 0, header).reason();
            case OfferDecoder.TEMPLATE_ID ->
            {
                final OfferDecoder offer = new OfferDecoder().wrapAndApplyHeader(message, 0, header);
                for (final OfferDecoder.DevicesDecoder device : offer.devices())
                {
                    device.name();
                }
                for (final OfferDecoder.MembersDecoder member : offer.members())
                {
                    member.address();
                }
                for (final OfferDecoder.LeadersDecoder leader : offer.leaders())
                {
                    leader.serving();
                }
            }
            case BlankDecoder.TEMPLATE_ID ->
            {
                final BlankDecoder blank = new BlankDecoder().wrapAndApplyHeader(message, 0, header);
                blank.peerAddress();
                blank.zone();
            }
            case FormDecoder.TEMPLATE_ID ->
            {
                final FormDecoder form = new FormDecoder().wrapAndApplyHeader(message, 0, header);
                for (final FormDecoder.MembersDecoder member : form.members())
                {
                    member.address();
                    member.peerAddress();
                }
                final byte[] sessionKey = new byte[form.sessionKeyLength()];
                form.getSessionKey(sessionKey, 0, sessionKey.length);
            }
            case FoundDecoder.TEMPLATE_ID -> new FoundDecoder().wrapAndApplyHeader(message, 0, header).tableId();
            case MemberDecoder.TEMPLATE_ID ->
            {
                final MemberDecoder member = new MemberDecoder().wrapAndApplyHeader(message, 0, header);
                for (final MemberDecoder.MembersDecoder each : member.members())
                {
                    each.address();
                    each.peerAddress();
                }
                for (final MemberDecoder.ReplicasDecoder replica : member.replicas())
                {
                    replica.number();
                }
                final byte[] sessionKey = new byte[member.sessionKeyLength()];
                member.getSessionKey(sessionKey, 0, sessionKey.length);
            }
            case AnnounceDecoder.TEMPLATE_ID ->
            {
                final AnnounceDecoder announce = new AnnounceDecoder().wrapAndApplyHeader(message, 0, header);
                announce.address();
                announce.peerAddress();
            }
            case TakeDecoder.TEMPLATE_ID -> new TakeDecoder().wrapAndApplyHeader(message, 0, header).shard();
            case ChangeDecoder.TEMPLATE_ID ->
            {
                final ChangeDecoder change = new ChangeDecoder().wrapAndApplyHeader(message, 0, header);
                for (final ChangeDecoder.BeforeDecoder before : change.before())
                {
                    before.number();
                }
                for (final ChangeDecoder.AfterDecoder after : change.after())
                {
                    after.address();
                    after.peerAddress();
                }
            }
            case ChangingDecoder.TEMPLATE_ID ->
                new ChangingDecoder().wrapAndApplyHeader(message, 0, header).behind();
            case FormedDecoder.TEMPLATE_ID -> new FormedDecoder().wrapAndApplyHeader(message, 0, header);
            case FollowersDecoder.TEMPLATE_ID ->
            {
                final FollowersDecoder followers = new FollowersDecoder().wrapAndApplyHeader(message, 0, header);
                for (final FollowersDecoder.AllDecoder each : followers.all())
                {
                    each.inSync();
                }
                for (final FollowersDecoder.LedDecoder each : followers.led())
                {
                    each.proofs();
                }
                for (final FollowersDecoder.KeptDecoder each : followers.kept())
                {
                    each.shard();
                }
                followers.zone();
            }
            case TransferDecoder.TEMPLATE_ID -> new TransferDecoder().wrapAndApplyHeader(message, 0, header).member();
            case TransferredDecoder.TEMPLATE_ID -> new TransferredDecoder().wrapAndApplyHeader(message, 0, header);
            case ConnectDecoder.TEMPLATE_ID ->
                Endpoints.decode(new ConnectDecoder().wrapAndApplyHeader(message, 0, header));
            case ConnectedDecoder.TEMPLATE_ID ->
            {
                final ConnectedDecoder connected = new ConnectedDecoder().wrapAndApplyHeader(message, 0, header);
                Endpoints.decode(connected);
                for (final ConnectedDecoder.SegmentsDecoder segment : connected.segments())
                {
                    segment.remoteKey();
                }
            }
            case ReadyDecoder.TEMPLATE_ID -> new ReadyDecoder().wrapAndApplyHeader(message, 0, header);
            case HeartbeatDecoder.TEMPLATE_ID ->
                SessionTotals.read(new HeartbeatDecoder().wrapAndApplyHeader(message, 0, header));
            case RetireDecoder.TEMPLATE_ID ->
            {
                for (final RetireDecoder.ShardsDecoder shard :
                    new RetireDecoder().wrapAndApplyHeader(message, 0, header).shards())
                {
                    shard.splitPoint();
                }
            }
            case AccessesDecoder.TEMPLATE_ID ->
            {
                final AccessesDecoder accesses = new AccessesDecoder().wrapAndApplyHeader(message, 0, header);
                accesses.dropped();
                for (final AccessesDecoder.ShardsDecoder shard : accesses.shards())
                {
                    final byte[] words = new byte[shard.wordsLength()];
                    shard.getWords(words, 0, words.length);
                }
            }
            case SamplingDecoder.TEMPLATE_ID ->
                new SamplingDecoder().wrapAndApplyHeader(message, 0, header).bits();
            case BackupStateDecoder.TEMPLATE_ID ->
                new BackupStateDecoder().wrapAndApplyHeader(message, 0, header).permille();
            case BackupPartDecoder.TEMPLATE_ID ->
            {
                final BackupPartDecoder part = new BackupPartDecoder().wrapAndApplyHeader(message, 0, header);
                final byte[] bytes = new byte[part.bytesLength()];
                part.getBytes(bytes, 0, bytes.length);
            }
            case ConfirmDecoder.TEMPLATE_ID -> new ConfirmDecoder().wrapAndApplyHeader(message, 0, header).epoch();
            case GoodbyeDecoder.TEMPLATE_ID -> new GoodbyeDecoder().wrapAndApplyHeader(message, 0, header).reason();
            default -> throw new AssertionError("message of no kind: template=" + templateId);
        }
    }

    private void discardRest() throws IOException
    {
        do
        {
            rest.clear();
        }
        while (reader.read(rest) > 0);
    }

    private void open() throws IOException
    {
        final Path folder = Files.createTempDirectory("onesided-fuzz");
        final Path path = folder.resolve("socket");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            // Unlike TCP's, what was written to it can be read at once.
            listener.bind(UnixDomainSocketAddress.of(path));
            writer = SocketChannel.open(UnixDomainSocketAddress.of(path));
            writer.configureBlocking(false);
            reader = listener.accept();
            reader.configureBlocking(false);
        }
        finally
        {
            Files.deleteIfExists(path);
            Files.delete(folder);
        }
    }

    @Override
    public void close()
    {
        try
        {
            CloseHelper.closeAll(writer, reader);
        }
        catch (final Exception e)
        {
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
