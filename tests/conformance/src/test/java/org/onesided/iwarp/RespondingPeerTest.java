package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.QueuePairState;

/**
 * An independent peer that the device connects to, and that answers rightly or wrongly.
 */
class RespondingPeerTest extends IwarpTest
{
    private static final int SOURCE = 0x3333_0001;
    private static final int SINK_OFFSET = 500_000;
    private static final int WRITES = 40;

    @Override
    String device()
    {
        // Only one side listens, so it is clear who connects.
        return "tcp";
    }

    @Test
    void shouldBeginWithTheRtrFrame() throws IOException
    {
        final IwarpPeer peer = respond(link());
        final Segment first = peer.next();
        assertEquals(Segment.WRITE, first.opcode());
        assertEquals(0, first.payload().length);
        assertTrue(first.isTagged() && first.isLast(), first.toString());
    }

    @Test
    void shouldReadAndBeRead() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        for (int i = 0; i < DEPTH + 2; i++)
        {
            link.read(i, SINK_OFFSET + i * 10_000, 10_000 - i, 0x1000L * i, SOURCE);
        }
        for (int i = 0; i < DEPTH + 2; i++)
        {
            final Segment segment = peer.next();
            assertEquals(i + 1, segment.msn());
            final ReadRequest request = ReadRequest.of(segment);
            assertEquals(10_000 - i, request.size());
            assertEquals(0x1000L * i, request.sourceTo());
            assertEquals(SOURCE, request.sourceStag());
            peer.respond(request, DeviceEnd.pattern(i, 10_000 - i));
            link.await(i);
            assertArrayEquals(DeviceEnd.pattern(i, 10_000 - i), end.bytes(SINK_OFFSET + i * 10_000, 10_000 - i));
        }
        // Nobody polls now: the device's own thread answers.
        checkRead(peer, 5, 100_000);
    }

    @Test
    void shouldHaveNoMoreReadsUnderWayThanThePeerTakes() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        for (int i = 0; i < 3 * DEPTH; i++)
        {
            link.read(i, SINK_OFFSET + i * 100, 100, i, SOURCE);
        }
        link.poll();
        // Were there more of them, one would be the next thing to come, not the answer to this.
        final ReadRequest[] requests = new ReadRequest[3 * DEPTH];
        for (int i = 0; i < DEPTH; i++)
        {
            requests[i] = ReadRequest.of(peer.next());
        }
        checkRead(peer, 3, 3);
        for (int i = 0; i < 3 * DEPTH; i++)
        {
            peer.respond(requests[i], DeviceEnd.pattern(i, 100));
            link.await(i);
            if (i + DEPTH < 3 * DEPTH)
            {
                requests[i + DEPTH] = ReadRequest.of(peer.next());
            }
        }
        assertTrue(link.isQuiet());
    }

    /** What a peer can answer that it was not asked for. */
    enum Answer
    {
        OTHER_STAG("1/1/0", (request) -> Segment.tagged(
            Segment.READ_RESPONSE, true, request.sinkStag() ^ 1, request.sinkTo(), new byte[request.size()])),
        OTHER_PLACE("1/1/1", (request) -> Segment.tagged(
            Segment.READ_RESPONSE, true, request.sinkStag(), request.sinkTo() + 1, new byte[request.size() - 1])),
        PLACE_BEFORE("1/1/1", (request) -> Segment.tagged(
            Segment.READ_RESPONSE, true, request.sinkStag(), request.sinkTo() - 1, new byte[request.size()])),
        TOO_LONG("1/1/1", (request) -> Segment.tagged(
            Segment.READ_RESPONSE, true, request.sinkStag(), request.sinkTo(), new byte[request.size() + 1])),
        TOO_SHORT("1/1/1", (request) -> Segment.tagged(
            Segment.READ_RESPONSE, true, request.sinkStag(), request.sinkTo(), new byte[request.size() - 1])),
        NOT_LAST("1/1/1", (request) -> Segment.tagged(
            Segment.READ_RESPONSE, false, request.sinkStag(), request.sinkTo(), new byte[request.size()])),
        WRITE_TO_THE_SINK("1/1/0", (request) -> Segment.tagged(
            Segment.WRITE, true, request.sinkStag(), request.sinkTo(), new byte[request.size()])),
        UNTAGGED("0/2/6", (request) -> Segment.untagged(
            Segment.READ_RESPONSE, true, Segment.READ_QUEUE, 1, 0, new byte[request.size()]));

        private final String error;
        private final Function<ReadRequest, Segment> segment;

        Answer(final String error, final Function<ReadRequest, Segment> segment)
        {
            this.error = error;
            this.segment = segment;
        }
    }

    @ParameterizedTest
    @EnumSource(Answer.class)
    void shouldRefuseAnAnswerThatItDidNotAskFor(final Answer answer) throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        link.read(1, SINK_OFFSET, 100, 0, SOURCE);
        link.read(2, SINK_OFFSET + 1000, 100, 0, SOURCE);
        final ReadRequest request = ReadRequest.of(peer.next());
        peer.send(answer.segment.apply(request));
        link.awaitState(QueuePairState.ERR);
        checkTerminate(answer.error, peer);
        assertTrue(link.next().status() != CompletionStatus.SUCCESS);
        link.await(2, CompletionStatus.WR_FLUSH_ERR);
        end.checkUntouched(SINK_OFFSET + 100, LENGTH);
        end.checkUntouched(0, SINK_OFFSET);
    }

    @Test
    void shouldRefuseASecondAnswerToTheSameRead() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        link.read(1, SINK_OFFSET, 100, 0, SOURCE);
        final ReadRequest request = ReadRequest.of(peer.next());
        peer.respond(request, DeviceEnd.pattern(1, 100));
        link.await(1);
        peer.respond(request, DeviceEnd.pattern(2, 100));
        link.awaitState(QueuePairState.ERR);
        checkTerminate("1/1/0", peer);
        assertArrayEquals(DeviceEnd.pattern(1, 100), end.bytes(SINK_OFFSET, 100));
    }

    @Test
    void shouldRefuseTheAnswerToTheYoungerReadFirst() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        link.read(1, SINK_OFFSET, 100, 0, SOURCE);
        link.read(2, SINK_OFFSET + 1000, 100, 0, SOURCE);
        ReadRequest.of(peer.next());
        peer.respond(ReadRequest.of(peer.next()), DeviceEnd.pattern(2, 100));
        link.awaitState(QueuePairState.ERR);
        checkTerminate("1/1/0", peer);
        end.checkUntouched(0, LENGTH);
    }

    @Test
    void shouldCompleteAReadThatIsDoneWhenTheNextFrameIsWrong() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        link.read(1, SINK_OFFSET, 100, 0, SOURCE);
        link.read(2, SINK_OFFSET + 1000, 100, 0, SOURCE);
        final ReadRequest request = ReadRequest.of(peer.next());
        final byte[] good = Fpdu.encode(Segment.tagged(Segment.READ_RESPONSE, true, request.sinkStag(),
            request.sinkTo(), DeviceEnd.pattern(7, 100)).bytes());
        final byte[] both = Arrays.copyOf(good, 2 * good.length);
        // Both come with one read of the socket. The second is the first again, which nothing asks for.
        System.arraycopy(good, 0, both, good.length, good.length);
        peer.send(both);
        link.await(1);
        assertArrayEquals(DeviceEnd.pattern(7, 100), end.bytes(SINK_OFFSET, 100));
        link.await(2, CompletionStatus.WR_FLUSH_ERR);
        checkTerminate("1/1/0", peer);
    }

    @Test
    void shouldFailAWriteWhoseMemoryIsTakenAwayHalfway() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        final MemoryRegion region =
            opened(end.register(end.domain, 0, LENGTH, Access.LOCAL_WRITE));
        // More than the kernel keeps for a peer that reads nothing.
        for (int i = 0; i < WRITES; i++)
        {
            link.writeFromBegin(i, region.localKey(), LENGTH, 0, SOURCE);
        }
        link.poll();
        region.close();
        int done = 0;
        boolean isWriting = true;
        while (isWriting)
        {
            final Segment segment = peer.next();
            isWriting = segment != null;
            if (isWriting && segment.opcode() == Segment.READ_REQUEST)
            {
                peer.respond(ReadRequest.of(segment), new byte[0]);
            }
            link.poll();
            isWriting &= link.queuePair.state() == QueuePairState.RTS;
        }
        DeviceLink.Done next = link.next();
        while (next.status() == CompletionStatus.SUCCESS)
        {
            assertEquals(done++, next.id());
            next = link.next();
        }
        assertEquals(done, next.id());
        assertEquals(CompletionStatus.LOC_PROT_ERR, next.status());
        for (int i = done + 1; i < WRITES; i++)
        {
            link.await(i, CompletionStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    void shouldTellOfAnAccessThatThePeerRefuses() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        link.read(1, SINK_OFFSET, 100, 0, SOURCE);
        link.read(2, SINK_OFFSET, 100, 0, SOURCE);
        final Segment asked = peer.next();
        peer.send(Terminate.about(Terminate.RDMAP, Terminate.REMOTE_PROTECTION, 0, asked.bytes(), true));
        link.await(1, CompletionStatus.REM_ACCESS_ERR);
        link.await(2, CompletionStatus.WR_FLUSH_ERR);
        assertEquals(QueuePairState.ERR, link.queuePair.state());
        end.checkUntouched(0, LENGTH);
    }

    @Test
    void shouldTellThatThePeerDidNotTakeItsMessage() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = started(link);
        link.read(1, SINK_OFFSET, 100, 0, SOURCE);
        link.send(2, 0, 300, false);
        peer.next();
        final Segment sent = peer.next();
        assertEquals(Segment.SEND, sent.opcode());
        peer.send(Terminate.about(Terminate.DDP, Terminate.UNTAGGED_BUFFER, 5, sent.bytes(), false));
        link.awaitState(QueuePairState.ERR);
        assertTrue(link.next().status() != CompletionStatus.SUCCESS);
    }

    /** What a peer can reply that is no acceptance. */
    enum Reply
    {
        REJECTED((good) -> flags(good, good.flags() | StartUp.REJECTED)),
        WITH_MARKERS((good) -> flags(good, good.flags() | StartUp.MARKERS)),
        NOT_ENHANCED((good) -> flags(good, good.flags() & ~StartUp.ENHANCED)),
        REVISION_1((good) -> new StartUp(true, good.flags(), 1, good.privateData()).bytes()),
        REVISION_3((good) -> new StartUp(true, good.flags(), 3, good.privateData()).bytes()),
        REQUEST((good) -> new StartUp(false, good.flags(), 2, good.privateData()).bytes()),
        ANOTHER_SECRET((good) -> data(good, 35, 1)),
        ANOTHER_NUMBER((good) -> data(good, 15, 1)),
        ANOTHER_MAGIC((good) -> data(good, 5, 1)),
        NO_PRIVATE_DATA((good) -> new StartUp(true, good.flags(), 2, new byte[0]).bytes()),
        SHORT_PRIVATE_DATA((good) -> new StartUp(
            true, good.flags(), 2, Arrays.copyOf(good.privateData(), good.privateData().length - 1))
            .bytes()),
        ENDLESS_PRIVATE_DATA((good) -> new StartUp(true, good.flags(), 2, new byte[65_535]).bytes()),
        NOISE((good) -> DeviceEnd.pattern(77, 500));

        private final Function<StartUp, byte[]> bytes;

        Reply(final Function<StartUp, byte[]> bytes)
        {
            this.bytes = bytes;
        }

        private static byte[] flags(final StartUp good, final int flags)
        {
            return new StartUp(true, flags, good.revision(), good.privateData()).bytes();
        }

        private static byte[] data(final StartUp good, final int index, final int change)
        {
            final byte[] data = good.privateData().clone();
            data[index] ^= (byte)change;
            return new StartUp(true, good.flags(), good.revision(), data).bytes();
        }
    }

    @ParameterizedTest
    @EnumSource(Reply.class)
    void shouldFailWhenThePeerDoesNotAccept(final Reply reply) throws IOException
    {
        final DeviceLink link = link();
        try (ServerSocket listener = new ServerSocket(0))
        {
            link.connect(listener.getLocalPort());
            link.read(1, SINK_OFFSET, 100, 0, SOURCE);
            final IwarpPeer peer = opened(IwarpPeer.accept(listener));
            link.checkAddressee(peer.startUp(), false);
            peer.send(reply.bytes.apply(link.reply()));
            link.await(1, CompletionStatus.RETRY_EXC_ERR);
            assertEquals(QueuePairState.ERR, link.queuePair.state());
            assertTrue(peer.isClosedByDevice(), "an FPDU after a reply that is none");
        }
    }

    @Tag("full")
    @Test
    void shouldFailWhenThePeerSaysNothing() throws IOException
    {
        final DeviceLink link = link();
        try (ServerSocket listener = new ServerSocket(0))
        {
            // 4.096 us * 2^10 * 3: not long.
            link.connect(listener.getLocalPort(), end.options.timeout(10, 2));
            link.read(1, SINK_OFFSET, 100, 0, SOURCE);
            final IwarpPeer peer = opened(IwarpPeer.accept(listener));
            peer.startUp();
            link.await(1, CompletionStatus.RETRY_EXC_ERR);
            assertTrue(peer.isClosedByDevice());
        }
    }

    @Test
    void shouldFailWhenNobodyListens() throws IOException
    {
        final DeviceLink link = link();
        link.connect(FreePorts.take(), end.options.timeout(10, 2));
        link.read(1, SINK_OFFSET, 100, 0, SOURCE);
        link.await(1, CompletionStatus.RETRY_EXC_ERR);
    }

    private IwarpPeer started(final DeviceLink link) throws IOException
    {
        final IwarpPeer peer = respond(link);
        assertEquals(Segment.WRITE, peer.next().opcode(), "RTR frame");
        return peer;
    }

    private static void checkTerminate(final String error, final IwarpPeer peer) throws IOException
    {
        final Terminate terminate = peer.terminate();
        assertTrue(terminate != null, "the stream ends without a TERMINATE");
        assertEquals(error, terminate.error());
    }
}
