package org.onesided.iwarp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.documentation.Documented;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.HangGuard;

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

    /** As docs/tcp.md shows it. */
    private static final String SHOWN = "tshark -r tcp.pcapng -Y iwarp_mpa -o tcp.try_heuristic_first:TRUE " +
        "--disable-protocol rpcordma --disable-protocol smb_direct --disable-protocol iser";

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

    @Test
    void shouldUnderstandAStore() throws Exception
    {
        record("store");
        final byte[] large = DeviceEnd.pattern(5, 300_000);
        try (StoreServer server = StoreServer.start(new ServerOptions()
                .listenHost("127.0.0.1").listenPort(0).memory(16L << 20).shards(2)
                .device("tcp:" + address + ":0"));
            StoreClient client = StoreClient.builder()
                .server("127.0.0.1:" + server.address().getPort()).device("tcp")
                .deadline(Duration.ofSeconds(HangGuard.seconds(20))).build())
        {
            final List<byte[]> keys = new ArrayList<>();
            for (int i = 0; i < 200; i++)
            {
                keys.add(("key-" + i).getBytes(UTF_8));
            }
            // What an import does.
            client.putAll(keys, keys);
            client.getAll(keys).forEach((value) -> assertTrue(value != null));
            for (int length = 0; length < 40; length++)
            {
                client.put(new byte[] {1}, DeviceEnd.pattern(1, length));
                assertArrayEquals(DeviceEnd.pattern(1, length), client.get(new byte[] {1}));
            }
            client.put("large".getBytes(UTF_8), large);
            assertArrayEquals(large, client.get("large".getBytes(UTF_8)));
            assertNull(client.get("nobody".getBytes(UTF_8)));
        }
        terminated();
        final Path file = recorder.stop();

        final List<Integer> opcodes = opcodes(file);
        for (final int opcode : new int[] {
            Segment.WRITE, Segment.READ_REQUEST, Segment.READ_RESPONSE, Segment.SEND, Segment.TERMINATE})
        {
            assertTrue(opcodes.contains(opcode), "opcode=" + opcode);
        }
        assertEquals(
            List.of("0x00\t0x01\t0x00"),
            Wireshark.dissect(file, "iwarp_rdma.terminate", "iwarp_rdma.term_layer", "iwarp_rdma.term_etype_rdma",
                "iwarp_rdma.term_errcode_rdma"));
        checkUnderstood(file, 500);

        final Path folder = Files.createDirectories(RECORDINGS.resolve("shown"));
        Files.copy(file, folder.resolve("tcp.pcapng"), StandardCopyOption.REPLACE_EXISTING);
        final String printed = Wireshark.type(SHOWN, folder);
        Documented.assertShown("docs/tcp.md", SHOWN, printed);
        assertFalse(printed.contains("Malformed"), "malformed packets");
    }

    /** A conversation of the device's that ends with a TERMINATE. */
    private void terminated() throws IOException
    {
        try (DeviceEnd end = new DeviceEnd("tcp:" + address + ":0", 4096);
            DeviceLink link = new DeviceLink(end, 1))
        {
            link.connect(0);
            try (IwarpPeer peer = IwarpPeer.connect(address, end.port()))
            {
                link.checkAddressee(peer.request(link.request()), true);
                peer.readyToReceive();
                peer.read(new ReadRequest(1, 2, 3, end.region.remoteKey() ^ 1, end.address(0)));
                assertEquals("0/1/0", peer.terminate().error());
            }
        }
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
