package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Wireshark's dissector reads what goes over the wire, that of {@link IwarpPeer} and that of the device. Recordings
 * stay in {@code target/iwarp}.
 */
@Timeout(300)
class WiresharkTest
{
    private static final Path RECORDINGS = Path.of("target", "iwarp").toAbsolutePath();

    /** What Wireshark finds wrong, but for TCP's doings, which are none of ours. */
    private static final String WRONG =
        "_ws.malformed || iwarp_mpa && _ws.expert && !tcp.analysis.flags || iwarp_mpa.bad_length || " +
            "iwarp_mpa.rev.not_set1 || iwarp_mpa.res.not_set0";

    /** Of the loopback network, and nobody else's. */
    private final String address = String.format(
        "127.%d.%d.%d", 64 + new Random().nextInt(64), new Random().nextInt(256), 2 + new Random().nextInt(250));

    private Wireshark recorder;

    private void record(final String name) throws IOException
    {
        Files.createDirectories(RECORDINGS);
        try
        {
            recorder = Wireshark.record(address, RECORDINGS.resolve(name + ".pcapng"));
        }
        catch (final IOException e)
        {
            System.err.println("wireshark: SKIPPED: nobody dissected the wire, since " + e.getMessage());
            Assumptions.abort(e.getMessage());
        }
    }

    @AfterEach
    void stopRecorder()
    {
        if (recorder != null)
        {
            recorder.close();
        }
    }

    @Test
    void shouldUnderstandThePeer() throws Exception
    {
        record("peers");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName(address));
            IwarpPeer initiator = IwarpPeer.connect(address, listener.getLocalPort());
            IwarpPeer responder = IwarpPeer.accept(listener))
        {
            // Of 36 bytes of private data.
            final StartUp request = StartUp.enhanced(false, 3, 4, 5, 6, new byte[16]);
            initiator.send(request.bytes());
            assertArrayEquals(request.bytes(), responder.startUp().bytes());
            final StartUp reply = StartUp.enhanced(true, 4, 3, 6, 5, new byte[16]);
            responder.send(reply.bytes());
            assertArrayEquals(reply.bytes(), initiator.startUp().bytes());
            initiator.readyToReceive();
            assertEquals(0, responder.next().payload().length);
            for (int length = 0; length < 5; length++)
            {
                initiator.message(DeviceEnd.pattern(1, length), false);
                assertEquals(length, responder.message(length + 1, Segment.SEND).length);
            }
            responder.message(DeviceEnd.pattern(2, 2500), true);
            assertArrayEquals(DeviceEnd.pattern(2, 2500), initiator.message(1, Segment.SEND_SOLICITED));
            initiator.write(1, 2, DeviceEnd.pattern(3, 100));
            assertEquals(100, responder.next().payload().length);
            final ReadRequest read = new ReadRequest(7, 8, 1500, 9, 10);
            initiator.read(read);
            assertEquals(read, ReadRequest.of(responder.next()));
            responder.respond(read, DeviceEnd.pattern(4, 1500));
            assertArrayEquals(DeviceEnd.pattern(4, 1500), initiator.response(read));
            final Segment wrong = initiator.readSegment(read);
            initiator.send(wrong);
            responder.next();
            responder.send(Terminate.about(Terminate.RDMAP, Terminate.REMOTE_PROTECTION, 1, wrong.bytes(), true));
            responder.socket().shutdownOutput();
            assertEquals("0/1/1", initiator.terminate().error());
        }
        final Path file = recorder.stop();

        assertEquals(List.of("2\t36", "2\t36"), Wireshark.dissect(
            file, "iwarp_mpa.req || iwarp_mpa.rep", "iwarp_mpa.rev", "iwarp_mpa.pdlength"));
        // RTR frame, 5 messages, 3 + 1 + 1 + 2 + 1 + 1 segments.
        assertEquals(
            List.of(0, 3, 3, 3, 3, 3, 5, 5, 5, 0, 1, 2, 2, 1, 7), opcodes(file));
        checkUnderstood(file, 15);
    }

    /** RDMAP's opcodes, in their order. */
    private static List<Integer> opcodes(final Path file) throws Exception
    {
        return Wireshark.dissect(file, "iwarp_rdma", "iwarp_rdma.opcode").stream()
            .flatMap((line) -> Arrays.stream(line.split(","))).map(Integer::decode).collect(Collectors.toList());
    }

    /** All frames that there are were read to the end, and their CRCs are right. */
    private static void checkUnderstood(final Path file, final int leastFrames) throws Exception
    {
        assertEquals(
            List.of(), Wireshark.dissect(file, WRONG, "frame.number", "_ws.col.Info", "_ws.expert.message"),
            "what Wireshark does not like");
        final List<String> told = Wireshark.tell(file);
        final long frames = told.stream().filter((line) -> line.strip().equals("FPDU")).count();
        final long good = told.stream().filter((line) -> line.endsWith("(Good CRC32)")).count();
        assertTrue(frames >= leastFrames, "frames=" + frames + " least=" + leastFrames);
        assertEquals(frames, good, "good CRCs");
    }
}
