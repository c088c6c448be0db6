package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.documentation.Documented;

/**
 * Two processes of {@code kvctl rdma} talk to each other over shared memory.
 */
class KvctlRdmaTalkTest
{
    @ParameterizedTest
    @ValueSource(strings = {"-s 64 -n 200", "-s 65536 -n 20 -r 1 -m 256 -e"})
    void shouldPlayPingPong(final String options) throws Exception
    {
        try (Program server = server("pingpong", options.split(" "));
            Program client = client(server, "pingpong", options.split(" ")))
        {
            assertEquals(0, client.await(), client::toString);
            assertEquals(0, server.await(), server::toString);
            final String[] words = options.split(" ");
            final long bytes = 2L * Long.parseLong(words[1]) * Long.parseLong(words[3]);
            for (final Program program : List.of(server, client))
            {
                assertTrue(program.out().contains("\n" + bytes + " bytes in "), program::toString);
                assertTrue(program.out().contains("\n" + words[3] + " iters in "), program::toString);
                assertTrue(program.out().contains(" usec/iter\n"), program::toString);
                assertEquals("", program.err());
            }
            assertEquals(address(server, "local"), address(client, "remote"));
            assertEquals(address(client, "local"), address(server, "remote"));
        }
    }

    @Tag("full")
    @Test
    void shouldGiveProgramsTheFiguresAlone() throws Exception
    {
        try (Program server = server("pingpong", "-n", "20");
            Program client = client(server, "pingpong", "-n", "20", "-o", "json"))
        {
            assertEquals(0, client.await(), client::toString);
            assertEquals(0, server.await(), server::toString);
            assertTrue(client.out().matches("\\{\"size\":4096,\"iterations\":20,\"bytes\":163840,\"seconds\":[\\d.]+," +
                "\"megabits_per_second\":[\\d.]+,\"us_per_iteration\":[\\d.]+}\n"), client::toString);
            assertTrue(client.err().contains("  remote address: "), client::toString);
        }
        try (Program server = server("example"); Program client = client(server, "example", "-o", "json"))
        {
            assertEquals(0, client.await(), client::toString);
            assertEquals(0, server.await(), server::toString);
            assertEquals("{\"received\":\"SEND operation\",\"read\":\"READ operation\"," +
                "\"wrote\":\"WRITE operation\"}\n", client.out());
        }
    }

    @Tag("full")
    @Test
    void shouldSayThatTheSizesDiffer() throws Exception
    {
        try (Program server = server("pingpong", "-s", "64"); Program client = client(server, "pingpong", "-s", "65"))
        {
            assertEquals(1, client.await(), client::toString);
            assertEquals(1, server.await(), server::toString);
            assertEquals("kvctl rdma pingpong: a request failed, the receive is shorter than the message: " +
                "status=REM_INV_REQ_ERR vendor_err=0x0 wr_id=2\n", client.err());
            assertEquals("kvctl rdma pingpong: a request failed, the receive is shorter than the message: " +
                "status=LOC_LEN_ERR vendor_err=0x0 wr_id=1\n", server.err());
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"-s 64", "-s 64 -e"})
    void shouldNotPlayOnWithoutAPeer(final String line) throws Exception
    {
        final String options = "-n 2000000000 " + line;
        try (Program server = server("pingpong", options.split(" "));
            Program client = client(server, "pingpong", (options + " --timeout 3s").split(" ")))
        {
            client.awaitOut("remote address");
            server.awaitOut("remote address");
            server.signal("KILL");

            // Whether a message or an answer was under way.
            assertEquals(6, client.await(), client::toString);
            assertEquals(1, client.err().lines().count(), client::toString);
        }
    }

    @Test
    void shouldDoTheClassicExample() throws Exception
    {
        try (Program server = server("example"); Program client = client(server, "example"))
        {
            assertEquals(0, client.await(), client::toString);
            assertEquals(0, server.await(), server::toString);
            assertTrue(client.out().contains("received: 'SEND operation'\n"), client::toString);
            assertTrue(client.out().contains("read:     'READ operation'\n"), client::toString);
            assertTrue(server.out().contains("the client wrote: 'WRITE operation'\n"), server::toString);
        }
    }

    @Test
    void shouldLetTwoPeopleTryTheVerbs() throws Exception
    {
        try (Program left = server("shell"); Program right = client(left, "shell"))
        {
            left.type("set 4096 text of the left\nfill 8192 4 0x2a\nreceive 0 100\n");
            left.awaitOut("posted: wr_id=1 opcode=RECV\n");
            right.type("read 64 4096 16\nshow 64 16\nset 0 a message\nwrite 0 8194 9\nsend 0 9\n");
            right.awaitOut("wr_id=1 opcode=RDMA_READ status=SUCCESS vendor_err=0x0\n");
            right.awaitOut("\\|text of the left\\|\n");
            right.awaitOut("wr_id=2 opcode=RDMA_WRITE status=SUCCESS");
            right.awaitOut("wr_id=3 opcode=SEND status=SUCCESS");
            left.awaitOut("completion: wr_id=1 opcode=RECV status=SUCCESS vendor_err=0x0 byte_len=9\n");
            left.type("show 0 16\nshow 8192 16\nsend 0 4\n");
            left.awaitOut("\\|a message[.]{7}\\|\n");
            left.awaitOut("\\|[*]{2}a message[.]{5}\\|\n");
            left.awaitOut("posted: wr_id=2 opcode=SEND, not completed yet");
            right.type("receive 128 4\nwait\ninfo\nquit\n");
            left.awaitOut("wr_id=2 opcode=SEND status=SUCCESS");
            right.awaitOut("queue pair: RTS, outstanding: [{][}]");
            left.awaitOut("The peer has left");
            left.endInput();

            assertEquals(0, right.await(), right::toString);
            assertEquals(0, left.await(), left::toString);
            assertFalse(left.out().contains("rdma>"), left::toString);
        }
    }

    @Tag("full")
    @Test
    void shouldTalkAsTheDocumentationShows() throws Exception
    {
        try (Program left = server("shell"); Program right = client(left, "shell"))
        {
            for (final String[] line : Documented.sideBySide("docs/rdma.md", "./kvctl rdma shell 10.9.0.1"))
            {
                follow(left, line[0]);
                follow(right, line[1]);
            }
            left.endInput();
            right.endInput();
            assertEquals(0, right.await(), right::toString);
            assertEquals(0, left.await(), left::toString);
        }
    }

    /** Types what stands behind a prompt, and waits for all else. */
    private static void follow(final Program shell, final String line) throws Exception
    {
        if (line.startsWith("rdma> "))
        {
            shell.type(line.substring("rdma> ".length()) + "\n");
        }
        else if (!line.isEmpty())
        {
            shell.awaitOut(Pattern.quote(line));
        }
    }

    @Tag("full")
    @Test
    void shouldSayWhatWentWrongInAShell() throws Exception
    {
        try (Program left = server("shell"); Program right = client(left, "shell"))
        {
            right.type("sing\nread 0 1m 1\nwrite 1048575 0 2\nsend 0 0\nreceive 0 4\n" +
                "fill 0 1 256\nwait 3601\n" + "x".repeat(5000) + "\n");
            right.awaitOut("error: no such command: sing, see help\n");
            right.awaitOut("error: outside the peer's buffer: offset=1048576 length=1 buffer=1048576\n");
            right.awaitOut("error: outside this side's buffer: offset=1048575 length=2 buffer=1048576\n");
            right.awaitOut("error: outside this side's buffer: offset=0 length=0 buffer=1048576\n");
            right.awaitOut("error: a byte is at most 255: byte=256\n");
            right.awaitOut("error: at most 3600 seconds: seconds=3601\n");
            right.awaitOut("error: the line is too long: longest=4096\n");
            left.signal("KILL");
            right.awaitOut("The peer has left");
            right.type("wait\nsend 0 1\n");
            right.awaitOut("error: not completed: [{]1=RECV[}]\n");
            right.awaitOut("completion: wr_id=2 opcode=SEND status=RETRY_EXC_ERR vendor_err=0x0, the peer does not");
            right.awaitOut("The queue pair is in ERR now");
            right.endInput();

            assertEquals(1, right.await(), right::toString);
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void shouldLeaveNothingBehindWhenToldToStop(final String signal) throws Exception
    {
        final Set<Path> before = SharedMemory.content();
        for (final String command : List.of("pingpong", "example", "shell"))
        {
            try (Program server = server(command))
            {
                server.awaitOut("listening on");
                server.signal(signal);
                assertEquals("TERM".equals(signal) ? 143 : 130, server.await(), server::toString);
                assertEquals("kvctl rdma " + command + ": told to stop\n", server.err());
            }
        }
        final Set<Path> left = SharedMemory.content();
        left.removeAll(before);
        assertEquals(Set.of(), left);
    }

    @Tag("full")
    @Test
    void shouldEndAShellThatIsToldToStop() throws Exception
    {
        try (Program left = server("shell"); Program right = client(left, "shell"))
        {
            right.awaitOut("Connected");
            right.signal("INT");
            assertEquals(130, right.await(), right::toString);
            left.awaitOut("The peer has left");
            left.endInput();
            assertEquals(0, left.await(), left::toString);
        }
    }

    /** The virtual machine uses what is compiled here: compiling takes long there. */
    @Test
    void shouldCompileThePeerOfTheExample() throws Exception
    {
        try (Program peer = Program.start(List.of(ExamplePeer.program().toString(), "-l", "1")))
        {
            assertEquals(2, peer.await(), peer::toString);
        }
    }

    private static Program server(final String command, final String... options) throws Exception
    {
        return start(command, List.of(options), List.of("-p", "0"));
    }

    private static Program client(final Program server, final String command, final String... options) throws Exception
    {
        final String port = server.awaitOut("listening on: .*?:(\\d+)[,\n]");
        return start(command, List.of(options), List.of("-p", port, "127.0.0.1"));
    }

    private static Program start(final String command, final List<String> options, final List<String> more)
        throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of("rdma", command, "--device", "shm"));
        arguments.addAll(options);
        arguments.addAll(more);
        return new Program(KvctlCall.of(arguments.toArray(String[]::new))
            .flag("-Donesided.shm.dir=" + SharedMemory.DIRECTORY).start());
    }

    private static String address(final Program program, final String whose) throws Exception
    {
        return program.awaitOut(whose + " address: +(LID .*)\n");
    }
}
