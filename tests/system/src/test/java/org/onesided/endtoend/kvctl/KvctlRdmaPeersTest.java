package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.documentation.Documented;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.PathChoice;

/**
 * {@code kvctl rdma} with C programs as its peers, on a real RDMA device.
 */
@Tag("rdma")
class KvctlRdmaPeersTest
{
    private static final String LOCALHOST = "127.0.0.1";

    /** Name and GID index that C programs are given: those that kvctl chooses by itself. */
    private static String device;
    private static String gidIndex;

    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void findPath()
    {
        try (Context context = Devices.find("ibv").open())
        {
            device = context.device().name().replaceFirst("^ibv:", "");
            gidIndex = "" + PathChoice.resolve(context, ConnectionOptions.defaults(Access.LOCAL_WRITE)).gidIndex();
        }
    }

    @AfterEach
    void stop()
    {
        executor.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-s 64 -n 200", "-s 4096 -n 50 -e", "-s 50000 -n 10 -m 256"})
    void shouldPlayPingPongWithTheProgramAsServer(final String options) throws Exception
    {
        final String port = freePort();
        try (Program server = pingPong(options, "-p", port))
        {
            Program.awaitListener(Integer.parseInt(port));
            final KvctlCall.Result client = kvctl("pingpong " + options, "-p", port, LOCALHOST);

            assertEquals(0, client.exitCode(), () -> client.err() + server);
            assertEquals(0, server.await(), server::toString);
            assertPlayed(options, client.out());
            assertPlayed(options, server.out());
            assertTrue(client.out().contains("GID index " + gidIndex + " (RoCE v2"), client.out());
            Documented.assertShown("docs/rdma.md", "./kvctl rdma pingpong -n 200 10.9.0.1", client.out());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-s 64 -n 100 -e", "-s 4096 -n 50 -m 512", "-s 1 -n 20 -r 1"})
    void shouldPlayPingPongWithTheProgramAsClient(final String options) throws Exception
    {
        final String port = freePort();
        final Future<KvctlCall.Result> server = serve("pingpong " + options, port);
        try (Program client = pingPong(options, "-p", port, LOCALHOST))
        {
            assertEquals(0, client.await(), client::toString);
            final KvctlCall.Result result = server.get();
            assertEquals(0, result.exitCode(), result.err());
            assertPlayed(options, client.out());
            assertPlayed(options, result.out());
        }
    }

    @Test
    void shouldTellAClientWithoutGidWhatIsMissing() throws Exception
    {
        final String port = freePort();
        final Future<KvctlCall.Result> server = serve("pingpong", port);
        try (Program client = Program.start(List.of("ibv_rc_pingpong", "-d", device, "-p", port, LOCALHOST)))
        {
            final KvctlCall.Result result = server.get();

            assertEquals(4, result.exitCode(), result.err());
            assertTrue(result.err().contains("the peer sent no GID, which RoCE needs: start it with -g"), result.err());
            assertTrue(client.await() != 0, client::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-l 16", "-l 200", "-z"})
    void shouldDoTheExampleWithAProgramAsServer(final String options) throws Exception
    {
        final String port = freePort();
        try (Program server = example(options, "-g", gidIndex, "-p", port))
        {
            Program.awaitListener(Integer.parseInt(port));
            final KvctlCall.Result client = kvctl("example", "-p", port, LOCALHOST);

            assertEquals(0, client.exitCode(), () -> client.err() + server);
            assertEquals(0, server.await(), server::toString);
            final int length = "-l 16".equals(options) ? 15 : 20;
            assertTrue(client.out().contains(
                "received: '" + "message of the C one".substring(0, length) + "'\n"), client.out());
            assertTrue(client.out().contains(
                "read:     '" + "text of the C server".substring(0, length) + "'\n"), client.out());
            assertEquals("found: 'WRITE operation'\n", server.out());
            assertEquals("-z".equals(options), client.out().contains("the peer sent no GID"), client.out());
            if ("-l 200".equals(options))
            {
                Documented.assertShown("docs/rdma.md", "./kvctl rdma example 10.9.0.1", client.out());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-l 16", "-l 21", "-z"})
    void shouldDoTheExampleWithAProgramAsClient(final String options) throws Exception
    {
        final String port = freePort();
        final Future<KvctlCall.Result> server = serve("example", port);
        try (Program client = example(options, "-g", gidIndex, "-p", port, LOCALHOST))
        {
            assertEquals(0, client.await(), client::toString);
            final KvctlCall.Result result = server.get();
            assertEquals(0, result.exitCode(), result.err());
            assertEquals("received: 'SEND operation'\nread: 'READ operation'\n", client.out());
            final int length = "-l 16".equals(options) ? 15 : 20;
            assertTrue(result.out().contains(
                "the client wrote: '" + "text of the C client".substring(0, length) + "'\n"), result.out());
            assertEquals("-z".equals(options), result.out().contains("the peer sent no GID"), result.out());
        }
    }

    @Test
    void shouldSayThatTheOldExampleNeedsInfiniBand() throws Exception
    {
        final String port = freePort();
        final Future<KvctlCall.Result> server = serve("example", port);
        try (Program client = example("-o", "-p", port, LOCALHOST))
        {
            final KvctlCall.Result result = server.get();

            assertEquals(4, result.exitCode(), result.err());
            assertTrue(result.err().contains("a record of 18 bytes without GID"), result.err());
            assertTrue(result.err().contains("needs InfiniBand"), result.err());
            assertTrue(client.await() != 0, client::toString);
        }
    }

    @Test
    void shouldShowInTheShellWhyARequestFailed() throws Exception
    {
        final String port = freePort();
        final Future<KvctlCall.Result> server = executor.submit(() -> KvctlCall.of("rdma", "shell", "-p", port)
            .input("receive 0 4\nwait\nshow 0 16\nreceive 0 4\nwait\n").runHere());
        Program.awaitListener(Integer.parseInt(port));
        final KvctlCall.Result client = KvctlCall.of("rdma", "shell", "-p", port, LOCALHOST)
            .input("set 0 abcdefgh\nwrite 0 8 8\nsend 0 4\nread 64 0 16\nshow 64 16\nsend 0 5\n").runHere();

        assertTrue(client.out().contains("wr_id=1 opcode=RDMA_WRITE status=SUCCESS"), client.out());
        assertTrue(client.out().contains("wr_id=3 opcode=RDMA_READ status=SUCCESS vendor_err=0x0\n"),
            client.out());
        assertTrue(client.out().contains("|abcd....abcdefgh|"), client.out());
        // Soft-RoCE has names of its own for a receive that is too short.
        assertTrue(Pattern.compile("wr_id=4 opcode=SEND status=REM_(INV_REQ|OP)_ERR").matcher(client.out()).find(),
            client.out());
        assertEquals(1, client.exitCode(), client.err());
        final KvctlCall.Result result = server.get();
        assertTrue(result.out().contains("wr_id=1 opcode=RECV status=SUCCESS vendor_err=0x0 byte_len=4\n"),
            result.out());
        assertTrue(Pattern.compile("wr_id=2 opcode=RECV status=LOC_(LEN|QP_OP)_ERR").matcher(result.out()).find(),
            result.out());
        assertEquals(1, result.exitCode(), result.err());
    }

    private Future<KvctlCall.Result> serve(final String line, final String port) throws Exception
    {
        final Future<KvctlCall.Result> server = executor.submit(() -> kvctl(line, "-p", port));
        while (!server.isDone() && !Program.isListening(Integer.parseInt(port)))
        {
            Thread.sleep(10);
        }
        return server;
    }

    private static KvctlCall.Result kvctl(final String line, final String... more)
    {
        final List<String> arguments = new ArrayList<>(List.of("rdma"));
        arguments.addAll(List.of(line.split(" ")));
        arguments.addAll(List.of(more));
        return KvctlCall.of(arguments.toArray(String[]::new)).runHere();
    }

    private static Program pingPong(final String options, final String... more) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("ibv_rc_pingpong", "-d", device, "-g", gidIndex));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(more));
        return Program.start(command);
    }

    private static Program example(final String options, final String... more) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(ExamplePeer.program().toString(), "-d", device));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(more));
        return Program.start(command);
    }

    private static void assertPlayed(final String options, final String out)
    {
        final String[] words = options.split(" ");
        final long bytes = 2L * Long.parseLong(words[1]) * Long.parseLong(words[3]);
        assertTrue(out.contains("\n" + bytes + " bytes in "), out);
        assertTrue(out.contains("\n" + words[3] + " iters in "), out);
    }

    private static String freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return "" + socket.getLocalPort();
        }
    }
}
