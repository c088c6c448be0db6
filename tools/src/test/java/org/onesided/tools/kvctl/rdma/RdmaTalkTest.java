package org.onesided.tools.kvctl.rdma;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.tools.kvctl.CapturedRun;
import org.onesided.tools.kvctl.CommandModel;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.verbs.ConnectionOptions;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * The commands that talk to a peer, with peers that are not there or not what they should be.
 */
class RdmaTalkTest
{
    private static final byte[] GARBAGE = ("HTTP/1.1 400 Bad Request\r\n" + "x".repeat(200)).getBytes(US_ASCII);
    private static final byte[] STORE = ("9\0\0\0" + "1SKV" + "\1\0\0\0" + "x".repeat(50)).getBytes(US_ASCII);
    private static final byte[] NO_GID =
        ("0000:000001:000002:" + "0".repeat(32) + "\0\5bytes").getBytes(US_ASCII);

    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop()
    {
        executor.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "example", "shell"})
    void shouldHelpWithTwoExamples(final String command)
    {
        final CapturedRun run = CapturedRun.of("rdma", command, "--help");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertEquals(2, run.out().lines().filter(line -> line.startsWith("  kvctl rdma " + command)).count());
        assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "pingpong --device warp|no such device: device=warp",
        "pingpong -m 1000|--mtu must be 256, 512, 1024, 2048 or 4096: --mtu=1000",
        "pingpong -s 0|--size must be at least 1: --size=0",
        "pingpong -s 2000000000|the message is longer than the port's longest: size=2000000000",
        "pingpong -n -5|--iters must be at least 1: --iters=-5",
        "pingpong -n many|invalid value for option '-n': 'many' is not a whole number",
        "pingpong -r 0|--rx-depth must be at least 1: --rx-depth=0",
        "pingpong -r 100000|more receives than the device can queue: depth=100000",
        "pingpong -l 16|invalid value for option '--service-level': must be a whole number from 0 to 15: '16'",
        "pingpong -p 65536|--port must be 0 to 65535: --port=65536",
        "example -p 0 localhost|--port must be 1 to 65535: --port=0",
        "example -g 9|no GID at that index: device=shm port=1 gid_index=9",
        "example -i 256|invalid value for option '--rdma-port': must be a whole number from 1 to 255: '256'",
        "example -g 256|invalid value for option '--gid-index': must be a whole number from 0 to 255: '256'",
        "example -i 5|EINVAL",
        "shell --timeout soon|not a time: 'soon'",
        "shell --listen 127.0.0.1 localhost|give either HOST or --listen: host=localhost listen=127.0.0.1",
        "shell -d rxe0 --device shm|give either -d or --device: -d=rxe0 --device=shm",
        "shell one two|unmatched argument",
    })
    void shouldRefuseWhatCannotBeMeant(final String line, final String message)
    {
        final List<String> arguments = new ArrayList<>(List.of("rdma"));
        arguments.addAll(List.of(line.split(" ")));
        if (!line.contains("--device"))
        {
            arguments.addAll(List.of("--device", "shm"));
        }

        final CapturedRun run = CapturedRun.of(arguments.toArray(String[]::new));

        assertFailed(run, ExitCode.USAGE, message);
    }

    @Test
    void shouldSayThatThereIsNoRdmaDevice()
    {
        final CapturedRun run = CapturedRun.of("rdma", "example", "-p", "0", "--timeout", "1ms");
        // What else it says where there is one is for other tests.
        assumeTrue(run.err().contains("this machine has no RDMA device"), run.err());

        assertFailed(run, ExitCode.NOT_FOUND, "rdma link add rxe0");
        assertFailed(CapturedRun.of("rdma", "example", "-d", "mlx9"), ExitCode.NOT_FOUND, "device=ibv:mlx9");
    }

    @Test
    void shouldTakePortAndGidFromTheEnvironment()
    {
        assertFailed(
            CapturedRun.with(Map.of("KVCTL_GID_INDEX", "9"), new byte[0], "rdma", "example", "--device", "shm"),
            ExitCode.USAGE, "gid_index=9");
        assertFailed(
            CapturedRun.with(Map.of("KVCTL_GID_INDEX", "9"), new byte[0],
                "rdma", "example", "--device", "shm", "-g", "8"),
            ExitCode.USAGE, "gid_index=8");
        assertFailed(CapturedRun.of("--rdma-port", "7", "rdma", "shell", "--device", "shm"), ExitCode.USAGE, "port=7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "example", "shell"})
    void shouldSayThatNobodyListens(final String command) throws Exception
    {
        assertFailed(client(command, freePort(), "10s"), ExitCode.CANNOT_CONNECT, "nothing listens there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "example", "shell"})
    void shouldSayThatNobodyConnected(final String command)
    {
        assertFailed(run(command, "-p", "0", "--timeout", "10ms"), ExitCode.CANNOT_CONNECT,
            "no peer connected in time", "--timeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "example", "shell"})
    void shouldSayThatThePortIsTaken(final String command) throws Exception
    {
        try (ServerSocket taken = new ServerSocket(0))
        {
            assertFailed(run(command, "-p", "" + taken.getLocalPort(), "--timeout", "10s"), ExitCode.FAILED,
                "cannot listen, choose another port with -p", ":" + taken.getLocalPort());
        }
    }

    private static Stream<Arguments> strangePeers()
    {
        return Stream.of(
            Arguments.of("pingpong", GARBAGE, "the peer is neither ibv_rc_pingpong nor kvctl rdma pingpong"),
            Arguments.of("example", STORE, "the peer belongs to a kvctl store, whose port is 19875 by default, too"),
            Arguments.of("example", GARBAGE, "the peer is not the example, whose record has 34 bytes"),
            Arguments.of("shell", GARBAGE, "the peer is not kvctl rdma shell"),
            Arguments.of("pingpong", NO_GID, "the peer sent no GID, which RoCE needs: start it with -g"),
            Arguments.of("pingpong", new byte[0], "the peer went away before its address arrived"),
            Arguments.of("example", new byte[0], "the peer is not the example"),
            Arguments.of("shell", new byte[0], "the peer went away before its record arrived"),
            Arguments.of("pingpong", new byte[51], "arrived, see its messages"),
            Arguments.of("example", new byte[18], "a record of 18 bytes without GID"),
            Arguments.of("example", new byte[19], "(port 10002) routes by LID only, which needs InfiniBand"),
            Arguments.of("example", new byte[20], "the peer is not the example"),
            Arguments.of("example", new byte[34], "the peer is not the example"));
    }

    @ParameterizedTest
    @MethodSource("strangePeers")
    void shouldKnowAStrangerWhoListens(final String command, final byte[] bytes, final String message) throws Exception
    {
        try (StrangePeer peer = StrangePeer.listening(bytes, true))
        {
            assertFailed(client(command, peer.port(), "30s"), ExitCode.CANNOT_CONNECT, message);
        }
    }

    private static Stream<Arguments> strangePeersThatSpeak()
    {
        return strangePeers().filter(arguments -> ((byte[])arguments.get()[1]).length > 0);
    }

    @ParameterizedTest
    @MethodSource("strangePeersThatSpeak")
    void shouldKnowAStrangerWhoConnects(final String command, final byte[] bytes, final String message)
        throws Exception
    {
        final int port = freePort();
        final Future<CapturedRun> run = executor.submit(() -> run(command, "-p", "" + port, "--timeout", "30s"));
        StrangePeer.connect(port, bytes);
        assertFailed(run.get(), ExitCode.CANNOT_CONNECT, message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "example", "shell"})
    void shouldGoOnListeningWhenAStrangerLeftWithoutAWord(final String command) throws Exception
    {
        final int port = freePort();
        final Future<CapturedRun> run = executor.submit(() -> run(command, "-p", "" + port, "--timeout", "30s"));
        StrangePeer.connect(port, new byte[0]);
        StrangePeer.connect(port, GARBAGE);
        assertFailed(run.get(), ExitCode.CANNOT_CONNECT, "the peer is n");
        assertTrue(run.get().out().contains(", without sending anything; still listening"), run.get().out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "example", "shell"})
    void shouldSayThatWhoeverConnectsIsTaken(final String command)
    {
        final String wide = run(command, "-p", "0", "--timeout", "1ms", "--listen", "0.0.0.0").out();
        final String narrow = run(command, "-p", "0", "--timeout", "1ms", "--listen", "127.0.0.1").out();
        assertTrue(wide.contains(
            ", for any peer to any address (--listen names one): nothing proves who it is\n"), wide);
        assertTrue(narrow.contains(", for any peer: nothing proves who it is\n"), narrow);
    }

    @ParameterizedTest
    @CsvSource({"pingpong,14,6,7,12", "example,18,6,0,18", "shell,14,6,7,12"})
    void shouldConnectAsTheProgramsDoUnlessTheUserWantsOtherwise(
        final String command, final int timeout, final int retries, final int rnrRetries, final int rnrTimer)
    {
        final ConnectionOptions standard = path(Map.of(), "rdma", command);
        assertEquals(
            ConnectionOptions.defaults(0).timeout(timeout, retries).rnr(rnrRetries, rnrTimer), standard);
        assertEquals(
            standard.timeout(20, 3).rnr(2, 1).quality(4, 96).port(1).gidIndex(5),
            path(Map.of("KVCTL_RNR_RETRIES", "2", "KVCTL_MIN_RNR_TIMER", "1", "KVCTL_RDMA_RETRIES", "7"),
                "--rdma-timeout", "20", "--rdma-retries", "3", "--service-level", "4", "--traffic-class", "96",
                "rdma", command, "-i", "1", "-g", "5"));
    }

    private static ConnectionOptions path(final Map<String, String> environment, final String... arguments)
    {
        final CommandLine commandLine = CommandModel.commandLine(environment);
        final ParseResult result = commandLine.parseArgs(arguments);
        return ((RdmaTalkCommand)result.subcommand().subcommand().commandSpec().userObject()).path();
    }

    @Test
    void shouldKnowTheOldExampleThatWaitsBehindItsShortRecord() throws Exception
    {
        try (StrangePeer peer = StrangePeer.listening(new byte[18], false))
        {
            assertFailed(client("example", peer.port(), "30s"), ExitCode.CANNOT_CONNECT,
                "a record of 18 bytes without GID", "needs InfiniBand");
        }
    }

    @Test
    void shouldKnowTheOldExampleThatIsResetBehindItsShortRecord() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final Future<CapturedRun> run = executor.submit(() -> client("example", server.getLocalPort(), "30s"));
            try (Socket socket = server.accept())
            {
                socket.getOutputStream().write(new byte[18]);
                socket.getInputStream().readNBytes(34);
                // Ends the connection by a reset.
                socket.setSoLinger(true, 0);
            }
            assertFailed(run.get(), ExitCode.CANNOT_CONNECT, "a record of 18 bytes without GID", "needs InfiniBand");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "example", "shell"})
    void shouldNotWaitForEverForAPeerThatSaysNothing(final String command) throws Exception
    {
        try (StrangePeer peer = StrangePeer.listening(new byte[0], false))
        {
            assertFailed(client(command, peer.port(), "100ms"), ExitCode.DEADLINE, "in time", "--timeout");
        }
    }

    private static CapturedRun client(final String command, final int port, final String timeout)
    {
        return run(command, "-p", "" + port, "--timeout", timeout, "127.0.0.1");
    }

    private static CapturedRun run(final String command, final String... more)
    {
        final List<String> arguments = new ArrayList<>(List.of("rdma", command, "--device", "shm"));
        arguments.addAll(List.of(more));
        return CapturedRun.of(arguments.toArray(String[]::new));
    }

    private static void assertFailed(final CapturedRun run, final ExitCode exitCode, final String... parts)
    {
        for (final String part : parts)
        {
            assertTrue(run.err().contains(part), "expected: " + part + " in: " + run.err());
        }
        assertEquals(exitCode, run.exitCode(), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return socket.getLocalPort();
        }
    }

    /**
     * Says something else than the protocol has it.
     */
    private record StrangePeer(ServerSocket server, Thread thread) implements AutoCloseable
    {
        /** Takes one connection, says its bytes, and ends the connection or waits until the other does. */
        static StrangePeer listening(final byte[] bytes, final boolean ends) throws IOException
        {
            final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            final Thread thread = new Thread(
                () ->
                {
                    try (Socket socket = server.accept())
                    {
                        say(socket, bytes, ends);
                    }
                    catch (final IOException e)
                    {
                        // Reset by the other side, or never connected: what the test asserts tells.
                        return;
                    }
                },
                "strange-peer");
            thread.start();
            return new StrangePeer(server, thread);
        }

        static void connect(final int port, final byte[] bytes) throws Exception
        {
            while (true)
            {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port))
                {
                    say(socket, bytes, true);
                    return;
                }
                catch (final ConnectException e)
                {
                    // Not listening yet.
                    Thread.sleep(10);
                }
                catch (final IOException e)
                {
                    // Known for a stranger, and left.
                    return;
                }
            }
        }

        private static void say(final Socket socket, final byte[] bytes, final boolean ends) throws IOException
        {
            socket.getOutputStream().write(bytes);
            if (ends)
            {
                socket.shutdownOutput();
            }
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }

        int port()
        {
            return server.getLocalPort();
        }

        @Override
        public void close() throws IOException
        {
            server.close();
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}
