package org.onesided.tools.kvctl.rdma.talk;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;

/**
 * Sends a message to and fro, like {@code ibv_rc_pingpong} of rdma-core and, if wanted, with that program as the peer.
 *
 * <p>The client sends its address first. The server connects its queue pair before it answers, and the client connects
 * its own before it reports that it is done, so that neither sends to a queue pair that is not ready.
 */
public final class PingPong
{
    /**
     * The options of ibv_rc_pingpong: 67 ms, and no limit for a peer without a posted receive. But six retries after
     * timeouts: with seven, Soft-RoCE never reports that the peer is gone.
     */
    public static final ConnectionOptions DEFAULT_PATH = ConnectionOptions.defaults(0).timeout(14, 6).rnr(7, 12);

    private static final long RECEIVE_ID = 1;
    private static final long SEND_ID = 2;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final byte FILLING = 0x7B;

    private final String device;
    private final ConnectionOptions path;
    private final Meeting meeting;
    private final Traffic traffic;
    private final Consumer<String> out;
    private final IntConsumer progress;

    /**
     * @param device   to open.
     * @param path     how this side connects; {@link #DEFAULT_PATH} if the user set nothing; the peer gets no access.
     * @param meeting  where the peer is.
     * @param traffic  what to send.
     * @param out      gets the lines to print.
     * @param progress gets the number of received messages; may be null.
     */
    public PingPong(
        final String device,
        final ConnectionOptions path,
        final Meeting meeting,
        final Traffic traffic,
        final Consumer<String> out,
        final IntConsumer progress)
    {
        this.device = device;
        this.path = path.access(0);
        this.meeting = meeting;
        this.traffic = traffic;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Meets the peer and exchanges all messages.
     *
     * @return the result.
     * @throws TalkException  if the peer is not there, not of the same kind, too slow, or a request fails.
     * @throws VerbsException if the device cannot be used.
     */
    public Result run()
    {
        final Station.Needs needs =
            new Station.Needs(traffic.size(), 1, traffic.receiveDepth(), traffic.events());
        try (Station station = new Station(device, path, needs, out))
        {
            if (traffic.mtu() > station.port().activeMtu())
            {
                throw new TalkException(TalkException.Kind.USAGE, "the MTU is larger than the port's, give less with " +
                    "--mtu on both sides: --mtu=" + traffic.mtu() + " port's=" + station.port().activeMtu());
            }
            UnsafeApi.setMemory(null, station.memory().range().address(), traffic.size(), FILLING);
            station.receive(RECEIVE_ID, 0, traffic.size(), traffic.receiveDepth());
            meet(station);
            return new Result(traffic.size(), traffic.iterations(), play(station));
        }
    }

    private void meet(final Station station)
    {
        final Endpoint own = ReliableConnection.local(station.context(), station.queuePair(), station.options());
        final PingPongAddress address = new PingPongAddress(own.lid(), own.queuePairNumber(), own.psn(), own.gid());
        out.accept("  local address:  " + address);
        final byte[] message = DeviceBytesExchange.append(address.encode(), own.deviceBytes());
        try (Conversation conversation = Conversation.open(meeting, out))
        {
            if (meeting.isClient())
            {
                conversation.write(message, "this side's address");
                connect(station, own, conversation);
                conversation.write(DONE, "the last word");
            }
            else
            {
                connect(station, own, conversation);
                conversation.write(message, "this side's address");
                if (!Arrays.equals(DONE, conversation.read(DONE.length, "its \"done\"")))
                {
                    throw stranger(conversation);
                }
            }
        }
    }

    private void connect(final Station station, final Endpoint own, final Conversation conversation)
    {
        final PingPongAddress address =
            PingPongAddress.decode(conversation.read(PingPongAddress.LENGTH, "its address"));
        if (address == null)
        {
            throw stranger(conversation);
        }
        final byte[] deviceBytes = DeviceBytesExchange.read(conversation, own.deviceBytes());
        out.accept("  remote address: " + address);
        if (address.gid() == null && own.gid() != null && !station.isInfiniBand())
        {
            throw new TalkException(TalkException.Kind.NOT_CONNECTED, "the peer sent no GID, which RoCE needs: start " +
                "it with -g and the index of one (kvctl rdma devices shows them): peer=" + conversation.peer());
        }
        final ConnectionOptions options =
            address.gid() == null ? station.options().gidIndex(ConnectionOptions.NO_GID) : station.options();
        try
        {
            ReliableConnection.connect(
                station.queuePair(),
                new Endpoint(own.queuePairNumber(), own.lid(), own.gid(), own.psn(), traffic.mtu(), 1, 1,
                    own.deviceBytes()),
                new Endpoint(address.queuePairNumber(), address.lid(), address.gid(), address.psn(), traffic.mtu(),
                    1, 1, deviceBytes),
                options);
        }
        catch (final VerbsException e)
        {
            throw Station.unreachable(e);
        }
    }

    private static TalkException stranger(final Conversation conversation)
    {
        return new TalkException(TalkException.Kind.NOT_CONNECTED,
            "the peer is neither ibv_rc_pingpong nor kvctl rdma pingpong: peer=" + conversation.peer());
    }

    /** The elapsed time, in nanoseconds. */
    private long play(final Station station)
    {
        final int flags = station.isInline(traffic.size()) ? SendFlags.INLINE : 0;
        final int iterations = traffic.iterations();
        final int depth = traffic.receiveDepth();
        int posted = depth;
        int sent = 0;
        int received = 0;
        int sending = 0;
        if (meeting.isClient())
        {
            station.send(SEND_ID, 0, traffic.size(), flags);
            sending++;
        }
        final long startNs = System.nanoTime();
        while (sent < iterations || received < iterations)
        {
            final int count = station.await(meeting.timeoutNs(), false);
            if (count == 0)
            {
                throw new TalkException(TalkException.Kind.DEADLINE,
                    "no completion in time, the peer may be gone or have another --size, --iters or --mtu: sent=" +
                        sent + " received=" + received + " of=" + iterations);
            }
            for (int i = 0; i < count; i++)
            {
                if (id(station.completions(), i) == SEND_ID)
                {
                    sent++;
                }
                else
                {
                    received++;
                    posted--;
                }
            }
            if (progress != null)
            {
                progress.accept(received);
            }
            if (posted <= depth / 2)
            {
                station.receive(RECEIVE_ID, 0, traffic.size(), depth - posted);
                posted = depth;
            }
            // The one send that fits has completed, and the peer's message has arrived.
            final int due = meeting.isClient() ? received + 1 : received;
            if (sent == sending && sending < due && sending < iterations)
            {
                station.send(SEND_ID, 0, traffic.size(), flags);
                sending++;
            }
        }
        return System.nanoTime() - startNs;
    }

    private static long id(final WorkCompletions completions, final int index)
    {
        final int status = completions.status(index);
        if (status != CompletionStatus.SUCCESS)
        {
            throw Completions.failed(completions, index);
        }
        return completions.id(index);
    }

    /**
     * The result of an exchange.
     *
     * @param size       of a message in bytes.
     * @param iterations messages each way.
     * @param elapsedNs  from the first to the last, in nanoseconds.
     */
    public record Result(int size, int iterations, long elapsedNs)
    {
        /**
         * @return bytes sent and received.
         */
        public long bytes()
        {
            return 2L * size * iterations;
        }

        /**
         * @return bits sent and received per microsecond, that is millions per second.
         */
        public double megabitsPerSecond()
        {
            return bytes() * 8 / (elapsedNs / 1e3);
        }

        /**
         * @return time of a message and its answer, in microseconds.
         */
        public double microsecondsPerIteration()
        {
            return elapsedNs / 1e3 / iterations;
        }

        /**
         * @return the last lines of ibv_rc_pingpong.
         */
        public List<String> lines()
        {
            return List.of(
                String.format(Locale.ROOT, "%d bytes in %.2f seconds = %.2f Mbit/sec",
                    bytes(), elapsedNs / 1e9, megabitsPerSecond()),
                String.format(Locale.ROOT, "%d iters in %.2f seconds = %.2f usec/iter",
                    iterations, elapsedNs / 1e9, microsecondsPerIteration()));
        }
    }

    /**
     * The messages to exchange; both sides must agree.
     *
     * @param size         of a message in bytes, from 1.
     * @param iterations   messages each way, from 1.
     * @param mtu          path MTU in bytes: 256, 512, 1024, 2048 or 4096.
     * @param receiveDepth receives posted at a time, from 1.
     * @param events       whether to sleep on completion events instead of polling.
     */
    public record Traffic(int size, int iterations, int mtu, int receiveDepth, boolean events)
    {
        /**
         * @param size         see there.
         * @param iterations   see there.
         * @param mtu          see there.
         * @param receiveDepth see there.
         * @param events       see there.
         * @throws TalkException if a number is out of its range.
         */
        public Traffic
        {
            checkPositive("--size", size);
            checkPositive("--iters", iterations);
            checkPositive("--rx-depth", receiveDepth);
            if (mtu < 256 || mtu > 4096 || Integer.bitCount(mtu) != 1)
            {
                throw new TalkException(
                    TalkException.Kind.USAGE, "--mtu must be 256, 512, 1024, 2048 or 4096: --mtu=" + mtu);
            }
        }

        private static void checkPositive(final String name, final int value)
        {
            if (value < 1)
            {
                throw new TalkException(
                    TalkException.Kind.USAGE, name + " must be at least 1: " + name + "=" + value);
            }
        }
    }
}
