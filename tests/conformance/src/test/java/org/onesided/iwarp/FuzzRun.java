package org.onesided.iwarp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.QueuePairState;

/**
 * Talks to the device over one connection after the other, in both roles, in frames that are good, changed or neither,
 * and compares what it does with what {@link FuzzModel} says: whether the connection ends with a TERMINATE, which bytes
 * of memory have changed, which messages and READs are complete. Each conversation follows from its number and the
 * seed. Not thread-safe.
 */
final class FuzzRun implements AutoCloseable
{
    private static final int REGION_LENGTH = 8192;
    private static final int STRIDE = 256;
    private static final int SINKS_OFFSET = REGION_LENGTH + FuzzModel.RECEIVES * STRIDE;
    private static final int SINK_STRIDE = 2048;
    private static final int SINK_LENGTH = 2000;
    private static final int SINKS = 4;
    private static final int LENGTH = SINKS_OFFSET + SINKS * SINK_STRIDE;
    private static final int MARGIN = 4096;
    private static final int FIRST_READ_ID = 1_000_000;
    private static final int DEPTH = 15;
    private static final int MAX_FRAMES = 250;
    /** Rounds of a conversation: after each, all is compared. */
    private static final int MAX_ROUNDS = 16;
    /** How many frames there are to one that is changed in any way, which most often ends the conversation. */
    private static final int[] WILD = {60, 1500};
    /** Conversations of a queue pair. */
    private static final int REUSES = 500;
    /** One conversation in so many has a start-up that was changed. */
    private static final int STRANGERS = 16;
    private static final int PROBE_STAG = 0x7A7A_7A7A;

    private final long seed;
    private final boolean isActive;
    private final DeviceEnd end;
    private final MemoryRegion remote;
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final byte[] region;
    private final List<byte[]> recorded;
    private DeviceLink link;
    /** Receives posted in the conversation. */
    private int received;
    /** READs done of those under way. */
    private int readBase;
    private volatile long conversations;
    private volatile long frames;
    private volatile long terminates;

    /**
     * @param seed     of all conversations.
     * @param isActive whether the device connects to peers.
     */
    FuzzRun(final long seed, final boolean isActive) throws IOException
    {
        this.seed = seed;
        this.isActive = isActive;
        // With one side that listens it is clear who connects.
        end = new DeviceEnd(isActive ? "tcp" : "tcp:127.0.0.1:0", LENGTH, Access.LOCAL_WRITE);
        remote =
            end.register(end.domain, 0, REGION_LENGTH, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        region = end.bytes(0, REGION_LENGTH);
        listener.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        listener.configureBlocking(false);
        recorded = record();
    }

    /** Frames that the device looked at. */
    long frames()
    {
        return frames;
    }

    @Override
    public String toString()
    {
        return "frames=" + frames + " conversations=" + conversations + " terminates=" + terminates;
    }

    /** Has the conversation with this number. */
    void converse(final long number) throws IOException
    {
        try
        {
            // Mixed, since the first numbers of seeds that are near each other are alike.
            final Random random = new Random(new SplittableRandom(seed + number).nextLong());
            renew();
            conversations++;
            if (isActive)
            {
                respond(random);
            }
            else
            {
                initiate(random);
            }
            end.checkMargins(MARGIN);
        }
        catch (final Error | RuntimeException e)
        {
            throw new AssertionError("seed=" + seed + " conversation=" + number + ": " + e.getMessage(), e);
        }
    }

    private void renew()
    {
        if (link != null && conversations % REUSES == 0)
        {
            link.close();
            link = null;
        }
        if (link == null)
        {
            link = new DeviceLink(end, DEPTH + 1);
        }
        else
        {
            link.reset();
            link.drain();
        }
    }

    private void initiate(final Random random) throws IOException
    {
        link.connect(0);
        postReceives();
        final StartUp good = link.request();
        if (random.nextInt(STRANGERS) == 0)
        {
            try (FuzzSocket stranger = FuzzSocket.connect(end.port(), link))
            {
                // It is answered or not; only what is left open by both must not stay.
                stranger.send(changed(good.bytes(), random));
                stranger.finish();
                stranger.end();
                frames++;
            }
            catch (final ProtocolException e)
            {
                // A reply is no frame.
                frames++;
            }
            if (link.queuePair.state() != QueuePairState.RTS)
            {
                return;
            }
        }
        try (FuzzSocket socket = FuzzSocket.connect(end.port(), link))
        {
            socket.send(good.bytes());
            final StartUp reply = socket.startUp();
            if (reply == null || reply.has(StartUp.REJECTED))
            {
                // Its request was taken from the stranger after all.
                require(random.nextInt() != 0 && frames > 0, "refused");
                return;
            }
            link.checkAddressee(reply, true);
            if (random.nextInt(STRANGERS) > 0)
            {
                socket.send(Fpdu.encode(Segment.tagged(Segment.WRITE, true, 0, 0, new byte[0]).bytes()));
            }
            talk(socket, model(), random);
        }
    }

    private void respond(final Random random) throws IOException
    {
        link.connect(((InetSocketAddress)listener.getLocalAddress()).getPort());
        postReceives();
        final FuzzModel model = model();
        try (FuzzSocket socket = FuzzSocket.accept(listener, link))
        {
            link.checkAddressee(socket.startUp(), false);
            if (random.nextInt(STRANGERS) == 0)
            {
                socket.send(changed(link.reply().bytes(), random));
                socket.finish();
                link.awaitGone();
                frames++;
                return;
            }
            socket.send(link.reply().bytes());
            require(socket.next().opcode() == Segment.WRITE, "RTR frame");
            talk(socket, model, random);
        }
    }

    private FuzzModel model()
    {
        return new FuzzModel(region, remote.remoteKey(), end.address(0), DEPTH);
    }

    private void talk(final FuzzSocket socket, final FuzzModel model, final Random random) throws IOException
    {
        final FuzzFrames source = new FuzzFrames(random, model, recorded, WILD[random.nextInt(WILD.length)]);
        int rounds = 1 + random.nextInt(MAX_ROUNDS);
        boolean isLast;
        do
        {
            if (isActive && model.oldest() == null)
            {
                ask(socket, model, random);
            }
            final int before = model.frames;
            exchange(socket, source, model, random);
            frames += model.frames - before;
            compare(model);
            isLast = --rounds == 0 || !model.isSettled();
            if (!isLast)
            {
                readBase += model.responses.size();
                postReceives(model.messages.size());
                model.begin();
            }
        }
        while (!isLast);
    }

    /** Has the device READ from its peer. */
    private void ask(final FuzzSocket socket, final FuzzModel model, final Random random) throws IOException
    {
        readBase = 0;
        final int reads = random.nextInt(SINKS + 1);
        for (int i = 0; i < reads; i++)
        {
            link.read(
                FIRST_READ_ID + i, SINKS_OFFSET + i * SINK_STRIDE, random.nextInt(SINK_LENGTH), random.nextLong(),
                random.nextInt());
        }
        for (int i = 0; i < reads; i++)
        {
            model.asked(ReadRequest.of(socket.next()));
        }
    }

    private void exchange(
        final FuzzSocket socket, final FuzzFrames source, final FuzzModel model, final Random random)
        throws IOException
    {
        final int count = 1 + random.nextInt(MAX_FRAMES);
        final List<byte[]> pieces = new ArrayList<>();
        for (int i = 0; i < count && model.state() == FuzzModel.State.ALIVE; i++)
        {
            final byte[] frame = source.next();
            model.take(frame);
            pieces.add(frame);
        }
        if (model.state() == FuzzModel.State.ALIVE && !model.isInside() && model.messageOffset() != 0)
        {
            final byte[] frame = source.end();
            model.take(frame);
            pieces.add(frame);
        }
        final boolean isDead = model.state() == FuzzModel.State.DEAD;
        if (isDead && random.nextBoolean())
        {
            // What follows does not count.
            pieces.add(changed(pieces.get(random.nextInt(pieces.size())), random));
        }
        send(socket, pieces, random);
        switch (model.state())
        {
            case ALIVE ->
            {
                if (model.isInside())
                {
                    socket.finish();
                    require(socket.end() == null, "a TERMINATE for nothing");
                }
                else
                {
                    probe(socket, model);
                }
            }
            case DEAD, DYING ->
            {
                final Terminate terminate = socket.end();
                link.awaitState(QueuePairState.ERR);
                // Before the first good frame the side that was connected to says nothing.
                require(terminate != null || !isActive && model.frames == 1, "no TERMINATE");
                terminates++;
            }
            default ->
            {
                socket.finish();
                socket.end();
            }
        }
    }

    /** All at once, or in pieces that have nothing to do with frames. */
    private static void send(final FuzzSocket socket, final List<byte[]> pieces, final Random random)
    {
        final byte[] all = new byte[pieces.stream().mapToInt((piece) -> piece.length).sum()];
        int length = 0;
        for (final byte[] piece : pieces)
        {
            System.arraycopy(piece, 0, all, length, piece.length);
            length += piece.length;
        }
        final int most = random.nextInt(8) == 0 ? 1 + random.nextInt(500) : all.length;
        for (int i = 0; i < all.length; i += most)
        {
            socket.send(Arrays.copyOfRange(all, i, Math.min(all.length, i + most)));
        }
    }

    /** READs all that peers may READ. */
    private void probe(final FuzzSocket socket, final FuzzModel model) throws IOException
    {
        socket.send(Fpdu.encode(Segment.untagged(
            Segment.READ_REQUEST, true, Segment.READ_QUEUE, model.nextRead(), 0,
            new ReadRequest(PROBE_STAG, 0, REGION_LENGTH, model.regionStag, model.regionAddress).bytes()).bytes()));
        int length = 0;
        while (length < REGION_LENGTH)
        {
            final Segment segment = socket.next();
            if (segment == null || segment.opcode() != Segment.READ_RESPONSE)
            {
                throw new AssertionError("instead of a response: " + segment);
            }
            if (segment.stag() == PROBE_STAG)
            {
                require(segment.to() == length, "another place");
                final int from = length;
                length += segment.payload().length;
                require(Arrays.equals(segment.payload(), 0, length - from, region, from, length), "READ otherwise");
            }
        }
        model.probed();
    }

    private void compare(final FuzzModel model)
    {
        final byte[] now = end.bytes(0, REGION_LENGTH);
        final boolean isOpen = model.state() == FuzzModel.State.OPEN;
        if (isOpen)
        {
            System.arraycopy(now, 0, region, 0, REGION_LENGTH);
            link.drain();
            return;
        }
        require(Arrays.equals(now, region), "memory differs: offset=" + Arrays.mismatch(now, region));
        int messages = 0;
        int read = 0;
        for (final DeviceLink.Done done : link.drain())
        {
            if (done.status() != CompletionStatus.SUCCESS)
            {
                continue;
            }
            final boolean isRead = done.id() >= FIRST_READ_ID;
            final List<byte[]> expected = isRead ? model.responses : model.messages;
            final int index = isRead ? read++ : messages++;
            final long offset = isRead ? SINKS_OFFSET + (readBase + index) * SINK_STRIDE :
                REGION_LENGTH + (received - FuzzModel.RECEIVES + index) % FuzzModel.RECEIVES * STRIDE;
            require(index < expected.size(), "more than was sent: id=" + done.id());
            final byte[] bytes = expected.get(index);
            require(isRead || done.length() == bytes.length, "another length: id=" + done.id());
            require(
                Arrays.equals(bytes, end.bytes(offset, bytes.length)), "other bytes than were sent: id=" + done.id());
        }
        final String state = " state=" + model.state() + " inside=" + model.isInside();
        require(messages == Math.min(FuzzModel.RECEIVES, model.messages.size()),
            "messages: " + messages + " expected=" + model.messages.size() + state);
        require(read == model.responses.size(),
            "READs: " + read + " expected=" + model.responses.size() + state);
    }

    private void postReceives()
    {
        received = 0;
        postReceives(FuzzModel.RECEIVES);
    }

    /** They are used in turn. */
    private void postReceives(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            link.receive(received, REGION_LENGTH + received % FuzzModel.RECEIVES * STRIDE, FuzzModel.RECEIVE_LENGTH);
            received++;
        }
    }

    private static byte[] changed(final byte[] bytes, final Random random)
    {
        final byte[] changed = Arrays.copyOf(
            bytes, random.nextInt(4) == 0 ? random.nextInt(bytes.length + 10) : bytes.length);
        for (int i = random.nextInt(4); i >= 0 && changed.length > 0; i--)
        {
            changed[random.nextInt(changed.length)] ^= (byte)(1 << random.nextInt(8));
        }
        return changed;
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }

    /** What the device sends when it does all it can. */
    private static List<byte[]> record() throws IOException
    {
        final List<byte[]> ulpdus = new ArrayList<>();
        try (DeviceEnd end = new DeviceEnd("tcp", LENGTH);
            DeviceLink sender = new DeviceLink(end, DEPTH);
            IwarpPeer peer = sender.respond())
        {
            for (int i = 0; i < 4; i++)
            {
                sender.send(i, 0, i * 70, i % 2 == 0);
                sender.write(i, 0, i * 500, i, i);
                sender.read(i, SINKS_OFFSET, i * 100, i, i);
            }
            for (int i = 0; i < 12; i++)
            {
                sender.poll();
                ulpdus.add(peer.next().bytes());
            }
        }
        return ulpdus;
    }

    @Override
    public void close() throws IOException
    {
        listener.close();
        if (link != null)
        {
            link.close();
        }
        end.checkMargins();
        require(end.counter("terminates_sent_catastrophic") == 0, "the device went wrong: " + end.counters());
        end.close();
    }
}
