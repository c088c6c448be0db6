package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairState;

/**
 * An independent peer that breaks a rule: it gets the RFCs' TERMINATE, nothing is placed, and other connections go on.
 */
class HostilePeerTest extends IwarpTest
{
    private static final int RECEIVE_LENGTH = 100;
    /** Any TERMINATE: the RFCs have no code for it, or several that fit. */
    private static final String ANY = "";

    /** What is wrong, and which errors fit. */
    enum Wrong
    {
        CRC("2/0/2", (t) -> t.peer.send(Fpdu.encode(t.good().bytes(), 1))),
        CRC_OF_EVERY_BIT("2/0/2", (t) -> t.peer.send(Fpdu.encode(t.good().bytes(), -1))),
        DDP_VERSION_TAGGED("1/1/4", (t) -> t.ulpdu(t.write(0, 8).bytes(), 0, 3)),
        DDP_VERSION_UNTAGGED("1/2/6", (t) -> t.ulpdu(t.good().bytes(), 0, 3)),
        RDMAP_VERSION("0/2/5", (t) -> t.ulpdu(t.good().bytes(), 1, 0xC0)),
        RDMAP_VERSION_OF_A_WRITE("0/2/5", (t) -> t.ulpdu(t.write(0, 8).bytes(), 1, 0xC0)),
        OPCODE("0/2/6", (t) -> t.peer.send(Segment.untagged(0xE, true, 0, 1, 0, new byte[10]))),
        OPCODE_TAGGED("0/2/6", (t) -> t.peer.send(
            Segment.tagged(0xF, true, t.end.region.remoteKey(), t.end.address(0), new byte[10]))),
        SEND_TAGGED("0/2/6", (t) -> t.peer.send(
            Segment.tagged(Segment.SEND, true, t.end.region.remoteKey(), t.end.address(0), new byte[10]))),
        SEND_ON_THE_READ_QUEUE("0/2/6", (t) -> t.peer.send(
            Segment.untagged(Segment.SEND, true, Segment.READ_QUEUE, 1, 0, new byte[ReadRequest.LENGTH]))),
        READ_ON_THE_SEND_QUEUE("0/2/6", (t) -> t.peer.send(Segment.untagged(
            Segment.READ_REQUEST, true, Segment.SEND_QUEUE, 1, 0, t.readOf(0, 1).bytes()))),
        QUEUE("1/2/1", (t) -> t.peer.send(Segment.untagged(Segment.SEND, true, 3, 1, 0, new byte[10]))),
        QUEUE_OF_ALL_BITS("1/2/1", (t) -> t.peer.send(Segment.untagged(Segment.SEND, true, -1, 1, 0, new byte[10]))),
        MSN_TOO_HIGH("1/2/3", (t) -> t.peer.send(
            Segment.untagged(Segment.SEND, true, Segment.SEND_QUEUE, 2, 0, new byte[10]))),
        MSN_ZERO("1/2/3", (t) -> t.peer.send(
            Segment.untagged(Segment.SEND, true, Segment.SEND_QUEUE, 0, 0, new byte[10]))),
        MSN_AGAIN("1/2/3", (t) ->
        {
            t.peer.message(new byte[10], false);
            t.peer.send(Segment.untagged(Segment.SEND, true, Segment.SEND_QUEUE, 1, 0, new byte[10]));
        }),
        MSN_OF_A_READ("1/2/3", (t) -> t.peer.send(Segment.untagged(
            Segment.READ_REQUEST, true, Segment.READ_QUEUE, 2, 0, t.readOf(0, 1).bytes()))),
        OFFSET_AT_FIRST("1/2/4", (t) -> t.peer.send(
            Segment.untagged(Segment.SEND, true, Segment.SEND_QUEUE, 1, 1, new byte[10]))),
        OFFSET_WITH_A_GAP("1/2/4", (t) ->
        {
            t.peer.send(Segment.untagged(Segment.SEND, false, Segment.SEND_QUEUE, 1, 0, new byte[10]));
            t.peer.send(Segment.untagged(Segment.SEND, true, Segment.SEND_QUEUE, 1, 11, new byte[10]));
        }),
        OFFSET_OF_ALL_BITS("1/2/4", (t) -> t.peer.send(
            Segment.untagged(Segment.SEND, true, Segment.SEND_QUEUE, 1, -1, new byte[10]))),
        MESSAGE_TOO_LONG("1/2/5", (t) -> t.peer.message(new byte[RECEIVE_LENGTH + 1], false)),
        MESSAGE_TOO_LONG_IN_SEGMENTS("1/2/5", (t) -> t.peer.message(new byte[5000], false)),
        MESSAGES_WITHOUT_END("1/2/2", (t) ->
        {
            for (int i = 1; i < 100_000; i++)
            {
                t.peer.message(new byte[i == 1 ? 10 : 1000], false);
            }
        }),
        WRITE_STAG("1/1/0", (t) -> t.peer.write(t.end.region.remoteKey() ^ 0x0101_0101, t.end.address(0), new byte[8])),
        WRITE_STAG_ZERO("1/1/0", (t) -> t.peer.write(0, t.end.address(0), new byte[8])),
        WRITE_PAST_THE_END("1/1/1", (t) -> t.peer.send(t.write(LENGTH - 7, 8))),
        WRITE_BEFORE_THE_BEGIN("1/1/1", (t) -> t.peer.send(t.write(-1, 8))),
        WRITE_WRAPPED("1/1/1 1/1/3", (t) -> t.peer.send(
            Segment.tagged(Segment.WRITE, true, t.end.region.remoteKey(), -4L, new byte[8]))),
        WRITE_WITHOUT_ACCESS("0/1/2", (t) -> t.peer.write(t.region(Access.REMOTE_READ), t.end.address(0), new byte[8])),
        WRITE_TO_ANOTHER_DOMAIN("1/1/2", (t) -> t.peer.write(t.foreignRegion(), t.end.address(0), new byte[8])),
        READ_STAG("0/1/0", (t) -> t.read(t.end.region.remoteKey() ^ 0x0101_0101, t.end.address(0), 8)),
        READ_PAST_THE_END("0/1/1", (t) -> t.read(t.end.region.remoteKey(), t.end.address(LENGTH - 7), 8)),
        READ_BEFORE_THE_BEGIN("0/1/1", (t) -> t.read(t.end.region.remoteKey(), t.end.address(-1), 8)),
        READ_OF_ALL("0/1/1", (t) -> t.read(t.end.region.remoteKey(), t.end.address(0), -1)),
        READ_WRAPPED("0/1/1 0/1/4", (t) -> t.read(t.end.region.remoteKey(), -4L, 8)),
        READ_WITHOUT_ACCESS("0/1/2", (t) -> t.read(t.region(Access.LOCAL_WRITE | Access.REMOTE_WRITE),
            t.end.address(0), 8)),
        READ_FROM_ANOTHER_DOMAIN("0/1/3", (t) -> t.read(t.foreignRegion(), t.end.address(0), 8)),
        READ_REQUEST_TOO_LONG("1/2/5", (t) -> t.peer.send(Segment.untagged(
            Segment.READ_REQUEST, true, Segment.READ_QUEUE, 1, 0, Arrays.copyOf(t.readOf(0, 1).bytes(), 29)))),
        READ_REQUEST_TOO_SHORT(ANY, (t) -> t.peer.send(Segment.untagged(
            Segment.READ_REQUEST, true, Segment.READ_QUEUE, 1, 0, Arrays.copyOf(t.readOf(0, 1).bytes(), 27)))),
        READ_REQUEST_IN_TWO(ANY, (t) -> t.peer.send(Segment.untagged(
            Segment.READ_REQUEST, false, Segment.READ_QUEUE, 1, 0, Arrays.copyOf(t.readOf(0, 1).bytes(), 10)))),
        READS_BEYOND_THE_DEPTH("1/2/2 1/2/3", (t) ->
        {
            for (int i = 0; i < 200; i++)
            {
                t.peer.read(t.readOf(0, LENGTH));
            }
        }),
        RESPONSE_TO_NOTHING("1/1/0 0/2/6", (t) -> t.peer.send(
            Segment.tagged(Segment.READ_RESPONSE, true, t.end.region.remoteKey(), t.end.address(0), new byte[8]))),
        SHORTER_THAN_A_HEADER(ANY, (t) -> t.peer.send(Fpdu.encode(new byte[] {0x41, 0x43, 0, 0}))),
        SHORTER_THAN_A_TAGGED_HEADER(ANY, (t) -> t.peer.send(Fpdu.encode(Arrays.copyOf(t.write(0, 0).bytes(), 13)))),
        SHORTER_THAN_AN_UNTAGGED_HEADER(ANY, (t) -> t.peer.send(Fpdu.encode(Arrays.copyOf(t.good().bytes(), 17)))),
        EMPTY(ANY, (t) -> t.peer.send(Fpdu.encode(new byte[0])));

        private final String errors;
        private final Action action;

        Wrong(final String errors, final Action action)
        {
            this.errors = errors;
            this.action = action;
        }
    }

    /** Sends what is wrong. */
    interface Action
    {
        void send(HostilePeerTest test) throws IOException;
    }

    private IwarpPeer peer;

    @ParameterizedTest
    @EnumSource(Wrong.class)
    void shouldEndTheConnectionAndNoOther(final Wrong wrong) throws IOException
    {
        final IwarpPeer bystander = initiate(link());
        checkRead(bystander, 0, 1000);
        final DeviceLink link = link();
        peer = initiate(link);
        link.receive(1, LENGTH - 2 * RECEIVE_LENGTH, RECEIVE_LENGTH);
        final long before = end.counter("terminates_sent");
        try
        {
            wrong.action.send(this);
        }
        catch (final IOException e)
        {
            // The device may have closed the connection before all was sent.
            assertTrue(wrong == Wrong.MESSAGES_WITHOUT_END || wrong == Wrong.READS_BEYOND_THE_DEPTH, e.toString());
        }

        link.awaitState(QueuePairState.ERR);
        checkTerminate(wrong);
        awaitCounter("terminates_sent", before + 1);
        assertEquals(before + 1, end.counter("terminates_sent"), () -> end.counters().toString());
        final int received = link.next().status();
        final boolean isReceived = wrong == Wrong.MSN_AGAIN || wrong == Wrong.MESSAGES_WITHOUT_END;
        assertEquals(isReceived, received == CompletionStatus.SUCCESS, "status=" + received);
        // Before the end of the region is the receive; a message that is too long may have begun there.
        end.checkUntouched(0, LENGTH - 2 * RECEIVE_LENGTH);
        end.checkUntouched(LENGTH - RECEIVE_LENGTH, LENGTH);
        checkRead(bystander, 1000, 1000);
        checkRead(initiate(link()), 2000, 1000);
    }

    @Test
    void shouldTellTheHeadersOfWhatIsWrong() throws IOException
    {
        peer = initiate(link());
        final Segment wrong = peer.readSegment(
            new ReadRequest(5, 6, 7, end.region.remoteKey() + 1, end.address(0)));
        peer.send(wrong);
        final Terminate terminate = peer.terminate();
        assertTrue(terminate.hasLength() && terminate.hasDdp() && terminate.hasRdma());
        final byte[] ulpdu = wrong.bytes();
        assertEquals(ulpdu.length, (terminate.headers()[0] & 0xFF) << 8 | terminate.headers()[1] & 0xFF);
        assertArrayEquals(ulpdu, Arrays.copyOfRange(terminate.headers(), 2, 2 + ulpdu.length));
    }

    @Test
    void shouldOnlyServeOthersWhileOneTakesNothing() throws IOException
    {
        final IwarpPeer bystander = initiate(link());
        final DeviceLink link = link();
        peer = initiate(link);
        for (int i = 0; i < DEPTH; i++)
        {
            peer.read(readOf(0, LENGTH));
        }
        for (int i = 0; i < 100; i++)
        {
            checkRead(bystander, i * 1000, 1000);
        }
        assertEquals(QueuePairState.RTS, link.queuePair.state());
        // It takes it all in the end.
        for (int i = 0; i < DEPTH; i++)
        {
            assertArrayEquals(DeviceEnd.pattern(0, LENGTH), peer.response(readOf(0, LENGTH)));
        }
    }

    @Test
    void shouldBearATerminateOfThePeers() throws IOException
    {
        final IwarpPeer bystander = initiate(link());
        final DeviceLink link = link();
        peer = initiate(link);
        link.receive(1, 0, RECEIVE_LENGTH);
        peer.send(Terminate.about(Terminate.MPA, 0, 2, good().bytes(), false));
        link.await(1, CompletionStatus.WR_FLUSH_ERR);
        link.awaitState(QueuePairState.ERR);
        assertTrue(peer.isClosedByDevice());
        checkRead(bystander, 0, 1);
    }

    @Test
    void shouldBearATerminateThatIsNone() throws IOException
    {
        for (int length = 0; length < 60; length += 3)
        {
            final DeviceLink link = link();
            peer = initiate(link);
            peer.send(Segment.untagged(
                Segment.TERMINATE, true, Segment.TERMINATE_QUEUE, 1, 0, DeviceEnd.pattern(length, length)));
            link.awaitState(QueuePairState.ERR);
        }
    }

    @Test
    void shouldBearAPeerThatEndsInTheMiddleOfAFrame() throws IOException
    {
        final IwarpPeer bystander = initiate(link());
        final byte[] frame = Fpdu.encode(write(0, 100).bytes());
        for (final int length : new int[] {1, 2, 3, 16, 17, frame.length - 1})
        {
            final DeviceLink link = link();
            peer = initiate(link);
            link.receive(1, 0, RECEIVE_LENGTH);
            peer.send(Arrays.copyOf(frame, length));
            peer.close();
            link.awaitGone();
        }
        end.checkUntouched(0, LENGTH);
        checkRead(bystander, 0, 1);
    }

    @Test
    void shouldWaitForTheRestOfAFrameAndServeOthersMeanwhile() throws IOException
    {
        final IwarpPeer bystander = initiate(link());
        peer = initiate(link());
        final byte[] frame = Fpdu.encode(peer.readSegment(readOf(10, 20)).bytes());
        peer.send(Arrays.copyOf(frame, 9));
        for (int i = 0; i < 20; i++)
        {
            checkRead(bystander, i, 100);
        }
        peer.send(Arrays.copyOfRange(frame, 9, frame.length));
        assertArrayEquals(DeviceEnd.pattern(10, 20), peer.response(readOf(10, 20)));
    }

    private void checkTerminate(final Wrong wrong) throws IOException
    {
        final Terminate terminate;
        try
        {
            terminate = peer.terminate();
        }
        catch (final IOException e)
        {
            // What it had not read yet when it closed makes the kernel reset the connection.
            assertTrue(wrong == Wrong.MESSAGES_WITHOUT_END || wrong == Wrong.READS_BEYOND_THE_DEPTH, e.toString());
            return;
        }
        assertTrue(terminate != null, "the stream ends without a TERMINATE");
        assertTrue(
            wrong.errors.equals(ANY) || Arrays.asList(wrong.errors.split(" ")).contains(terminate.error()),
            () -> "expected " + wrong.errors + ", was " + terminate.error());
    }

    private Segment good()
    {
        return Segment.untagged(Segment.SEND, true, Segment.SEND_QUEUE, 1, 0, new byte[10]);
    }

    private Segment write(final int offset, final int length)
    {
        return Segment.tagged(
            Segment.WRITE, true, end.region.remoteKey(), end.address(offset), new byte[length]);
    }

    private void read(final int stag, final long to, final int length) throws IOException
    {
        peer.read(new ReadRequest(0x99, 0, length, stag, to));
    }

    private void ulpdu(final byte[] ulpdu, final int index, final int change) throws IOException
    {
        ulpdu[index] ^= (byte)change;
        peer.send(Fpdu.encode(ulpdu));
    }

    private int region(final int access)
    {
        return end.register(end.domain, 0, LENGTH, access).remoteKey();
    }

    private int foreignRegion()
    {
        return end.register(
            end.add(end.context.allocateProtectionDomain()), 0, LENGTH,
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE).remoteKey();
    }
}
