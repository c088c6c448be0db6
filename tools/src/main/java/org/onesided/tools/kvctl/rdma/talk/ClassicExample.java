package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.onesided.tools.kvctl.pairs.Escapes;
import org.onesided.tools.kvctl.rdma.machine.Gids;
import org.onesided.verbs.Access;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Gid;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

/**
 * The example for reliable connections of the "RDMA Aware Networks Programming" manual: the server SENDs a message, the
 * client READs the server's buffer and WRITEs a text of its own there. Speaks with the C program in both roles.
 *
 * <p>The lengths of texts differ between the program's versions. The client takes the length of the message it receives
 * for all of them; the server's message is as short as the shortest.
 */
public final class ClassicExample
{
    /** Where the C program listens, if it is told nothing else. */
    public static final int DEFAULT_PORT = 19875;

    /** What the C program sets. */
    public static final ConnectionOptions DEFAULT_PATH =
        ConnectionOptions.defaults(0).timeout(0x12, 6).rnr(0, 0x12);

    private static final int BUFFER_LENGTH = 4096;
    /** Length of the server's message, zero byte included: no version's receive is shorter. */
    private static final int MESSAGE_LENGTH = 16;
    /** In the first bytes that a store's server or client says. */
    private static final String STORE_MARK = "1SKV";
    private static final String SEND_TEXT = "SEND operation";
    private static final String READ_TEXT = "READ operation";
    private static final String WRITE_TEXT = "WRITE operation";
    /** A peer that has begun its record says the rest at once. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int MTU = 256;
    private static final int PSN = 0;
    private static final int READ_DEPTH = 1;
    private static final int HOP_LIMIT = 1;

    private static final long SEND_ID = 1;
    private static final long RECEIVE_ID = 2;
    private static final long READ_ID = 3;
    private static final long WRITE_ID = 4;

    private final String device;
    private final ConnectionOptions path;
    private final Meeting meeting;
    private final Consumer<String> out;
    private final Map<String, String> carried = new LinkedHashMap<>();

    /**
     * @param device  to open.
     * @param path    how this side connects; {@link #DEFAULT_PATH} where the user has no wish. The peer's rights are
     *                the example's.
     * @param meeting where the peer is.
     * @param out     gets the lines to show.
     */
    public ClassicExample(
        final String device, final ConnectionOptions path, final Meeting meeting, final Consumer<String> out)
    {
        this.device = device;
        this.path = path.access(Access.REMOTE_READ | Access.REMOTE_WRITE | Access.LOCAL_WRITE);
        this.meeting = meeting;
        this.out = out;
    }

    /**
     * Meets the peer and does the example's three operations.
     *
     * @return what each operation carried, by its name, in their order: {@code received}, {@code read} and
     *         {@code wrote} at the client, {@code sent} and {@code written} at the server.
     * @throws TalkException  if the peer is not there, not of the same kind, too slow, or a request fails.
     * @throws VerbsException if the device cannot be used.
     */
    public Map<String, String> run()
    {
        try (Station station = new Station(device, path, new Station.Needs(BUFFER_LENGTH, 1, 1, false), out))
        {
            if (meeting.isClient())
            {
                station.receive(RECEIVE_ID, 0, BUFFER_LENGTH, 1);
            }
            else
            {
                put(station, SEND_TEXT, MESSAGE_LENGTH);
            }
            try (Conversation conversation = Conversation.open(meeting, out))
            {
                final ExampleRecord peer = connect(station, conversation);
                meetAt('Q', conversation);
                if (meeting.isClient())
                {
                    beClient(station, conversation, peer);
                }
                else
                {
                    beServer(station, conversation);
                }
                return Collections.unmodifiableMap(carried);
            }
        }
    }

    private ExampleRecord connect(final Station station, final Conversation conversation)
    {
        final ExampleRecord own = new ExampleRecord(
            station.region().range().address(), station.region().remoteKey(), station.queuePair().number(),
            station.port().lid(), station.gid());
        out.accept("  local address:  " + own);
        final byte[] deviceBytes = station.queuePair().deviceBytes();
        conversation.write(DeviceBytesExchange.append(own.encode(), deviceBytes), "this side's record");
        final ExampleRecord peer = read(station, conversation);
        final byte[] peerDeviceBytes = DeviceBytesExchange.read(conversation, deviceBytes);
        out.accept("  remote address: " + peer);
        final Gid gid = gid(station, conversation, peer);
        try
        {
            connect(station, peer, gid, peerDeviceBytes);
        }
        catch (final VerbsException e)
        {
            throw Station.unreachable(e);
        }
        return peer;
    }

    private static ExampleRecord read(final Station station, final Conversation conversation)
    {
        final byte[] bytes = new byte[ExampleRecord.LENGTH];
        final int count = conversation.read(bytes, "its record", QUIET_NS);
        // Its first byte of the handshake may be behind the short record already.
        if (count == ExampleRecord.LENGTH_WITHOUT_GID || count == ExampleRecord.LENGTH_WITHOUT_GID + 1)
        {
            throw new TalkException(TalkException.Kind.NOT_CONNECTED, "the peer sent a record of 18 bytes without " +
                "GID: that version of the example (port 10002) routes by LID only, which needs InfiniBand on both " +
                "sides; use the version with GIDs (port 19875): peer=" + conversation.peer() + " link_layer=" +
                station.port().linkLayer());
        }
        final ExampleRecord record = count < bytes.length ? null : ExampleRecord.decode(bytes);
        if (record == null && new String(bytes, 0, count, ISO_8859_1).contains(STORE_MARK))
        {
            throw new TalkException(TalkException.Kind.NOT_CONNECTED, "the peer belongs to a kvctl store, whose " +
                "port is " + DEFAULT_PORT + " by default, too; choose another with -p on both sides: peer=" +
                conversation.peer());
        }
        if (record == null)
        {
            throw new TalkException(TalkException.Kind.NOT_CONNECTED, "the peer is not the example, whose record " +
                "has 34 bytes: peer=" + conversation.peer() + " got=" + Escapes.text(bytes, count));
        }
        return record;
    }

    /** The GID to address the peer by; null for by LID. */
    private Gid gid(final Station station, final Conversation conversation, final ExampleRecord peer)
    {
        if (station.gid() == null)
        {
            return null;
        }
        if (peer.gid() != null)
        {
            return peer.gid();
        }
        if (station.isInfiniBand())
        {
            return null;
        }
        final boolean isHere = conversation.peerAddress().isLoopbackAddress();
        final Gid gid = isHere ? station.gid() : Gids.ofAddress(conversation.peerAddress());
        out.accept("  the peer sent no GID, which RoCE needs; taken for it: " + Gids.text(gid) + (isHere ?
            " (this side's own, since the peer is on this host)" : " (of its TCP address)"));
        return gid;
    }

    private void connect(final Station station, final ExampleRecord peer, final Gid gid, final byte[] deviceBytes)
    {
        final ConnectionOptions options = station.options();
        station.queuePair().modify(
            new QueuePairAttributes()
                .state(QueuePairState.RTR)
                .addressVector(new AddressVector(
                    peer.lid(), gid, gid == null ? 0 : options.gidIndex(), options.serviceLevel(),
                    options.trafficClass(), HOP_LIMIT, options.port(), deviceBytes))
                .pathMtu(MTU)
                .destinationQueuePair(peer.queuePairNumber())
                .receivePsn(PSN)
                .maxDestinationReadAtomic(READ_DEPTH)
                .minRnrTimer(options.minRnrTimer()),
            AttributeMask.STATE | AttributeMask.AV | AttributeMask.PATH_MTU | AttributeMask.DEST_QPN |
                AttributeMask.RQ_PSN | AttributeMask.MAX_DEST_RD_ATOMIC | AttributeMask.MIN_RNR_TIMER);
        station.queuePair().modify(
            new QueuePairAttributes()
                .state(QueuePairState.RTS)
                .timeout(options.timeout())
                .retryCount(options.retryCount())
                .rnrRetry(options.rnrRetry())
                .sendPsn(PSN)
                .maxReadAtomic(READ_DEPTH),
            AttributeMask.STATE | AttributeMask.TIMEOUT | AttributeMask.RETRY_CNT | AttributeMask.RNR_RETRY |
                AttributeMask.SQ_PSN | AttributeMask.MAX_QP_RD_ATOMIC);
    }

    private void beServer(final Station station, final Conversation conversation)
    {
        station.send(SEND_ID, 0, MESSAGE_LENGTH, 0);
        awaitOne(station, "the SEND");
        tell("sent", "sent:     ", SEND_TEXT);
        put(station, READ_TEXT, BUFFER_LENGTH);
        meetAt('R', conversation);
        meetAt('W', conversation);
        tell("written", "the client wrote: ", text(station, BUFFER_LENGTH));
    }

    private void beClient(final Station station, final Conversation conversation, final ExampleRecord peer)
    {
        final int length = awaitOne(station, "the server's message");
        tell("received", "received: ", text(station, length));
        if (length < 1)
        {
            throw new TalkException(TalkException.Kind.FAILED,
                "the server's message is empty, so there is nothing to READ: peer=" + conversation.peer());
        }
        meetAt('R', conversation);
        station.access(Opcode.RDMA_READ, READ_ID, 0, length, peer.address(), peer.remoteKey());
        awaitOne(station, "the READ");
        tell("read", "read:     ", text(station, length));
        put(station, WRITE_TEXT, length);
        station.access(Opcode.RDMA_WRITE, WRITE_ID, 0, length, peer.address(), peer.remoteKey());
        awaitOne(station, "the WRITE");
        tell("wrote", "wrote:    ", text(station, length));
        meetAt('W', conversation);
    }

    private void tell(final String name, final String words, final String text)
    {
        carried.put(name, text);
        out.accept(words + "'" + text + "'");
    }

    /** Both sides say that they have come to the same place. */
    private static void meetAt(final char place, final Conversation conversation)
    {
        final String what = "the byte '" + place + "'";
        conversation.write(new byte[]{(byte)place}, what);
        final byte got = conversation.read(1, what)[0];
        if (got != place)
        {
            throw new TalkException(TalkException.Kind.NOT_CONNECTED, "the peer is at another place of the example: " +
                "expected=" + place + " got=" + Escapes.text(new byte[]{got}, 1) + " peer=" + conversation.peer());
        }
    }

    private int awaitOne(final Station station, final String what)
    {
        if (station.await(meeting.timeoutNs(), true) == 0)
        {
            throw new TalkException(TalkException.Kind.DEADLINE,
                "no completion of " + what + " in time, the peer may be gone: timeout=" + meeting.timeout());
        }
        if (station.completions().status(0) != CompletionStatus.SUCCESS)
        {
            throw Completions.failed(station.completions(), 0);
        }
        return station.completions().byteLength(0);
    }

    /** Text with zeros behind it, one at least, cut where it is too long. */
    private static void put(final Station station, final String text, final int length)
    {
        final byte[] bytes = text.getBytes(US_ASCII);
        final long address = station.memory().range().addressOf(0, length);
        for (int i = 0; i < length; i++)
        {
            UnsafeApi.putByte(address + i, i < bytes.length && i < length - 1 ? bytes[i] : 0);
        }
    }

    private static String text(final Station station, final int length)
    {
        final long address = station.memory().range().addressOf(0, length);
        int end = 0;
        while (end < length && UnsafeApi.getByte(address + end) != 0)
        {
            end++;
        }
        final byte[] bytes = new byte[end];
        for (int i = 0; i < end; i++)
        {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return Escapes.text(bytes, BUFFER_LENGTH);
    }
}
