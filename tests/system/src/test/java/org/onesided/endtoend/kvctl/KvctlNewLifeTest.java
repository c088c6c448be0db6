package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.FreePorts;

/**
 * Commands that outlive their server.
 */
class KvctlNewLifeTest
{
    private static final int FATE_UNKNOWN = 6;
    private static final int ATTEMPTS = 10;
    private static final String TOLD = "kvctl: the server was restarted, its table is empty: server=";

    @Test
    void shouldFailWhenTheTableBeganEmptyAmidAnImport() throws Exception
    {
        final List<String> command = List.of("import", "-");
        End end = acrossLives(command, "first\t1\n", isThere("first"), writes("second\t2\n"));
        // Where the server died with the first pair in place but its answer under way, its fate is unknown.
        for (int i = 1; i < ATTEMPTS && end.exitCode() == FATE_UNKNOWN; i++)
        {
            end = acrossLives(command, "first\t1\n", isThere("first"), writes("second\t2\n"));
        }
        assertEquals(1, end.exitCode(), end.errors());
        assertTrue(end.errors().contains("restarted with an empty table"), end.errors());
        assertTrue(end.errors().contains("import all again"), end.errors());
    }

    @Tag("full")
    @Test
    void shouldTellAShellThatTheTableBeganEmpty() throws Exception
    {
        final End end = acrossLives(List.of("shell"), "put first 1\n", isThere("first"), writes("get first\n"));

        assertTrue(end.errors().contains(TOLD), end.errors());
        assertEquals("", end.output());
    }

    @Tag("full")
    @Test
    void shouldNotCallLostWhatWasInAnotherTable() throws Exception
    {
        // A value that changes is one that was put before the run's second part.
        final String key = "user6284781860667377211";
        final List<String> values = new ArrayList<>();
        final End end = acrossLives(
            List.of("load", "--workload", "a", "--records", "20", "--threads", "1", "--target", "200",
                "--duration", "10m"), "", (first) ->
            {
                final KvctlCall.Result got = KvctlCall.of("get", key).to(first).runHere();
                values.addAll(got.exitCode() == 0 ? List.of(got.out()) : List.of());
                return values.stream().distinct().count() > 1;
            }, (load, second) ->
            {
                // It puts the key anew, after some that were not there; then Ctrl-C.
                while (!isThere(key).test(second))
                {
                    Thread.onSpinWait();
                }
                new ProcessBuilder("sh", "-c", "kill -INT " + load.pid()).start().waitFor();
            });

        assertTrue(end.errors().contains(TOLD), end.errors());
        assertTrue(end.output().contains("operations"), end.output());
        assertFalse(end.output().contains("WRONG"), end.output());
    }

    private record End(int exitCode, String output, String errors)
    {
    }

    /** What is done with a command at the second server. */
    @FunctionalInterface
    private interface Deed
    {
        void with(Process process, KvctlServer second) throws Exception;
    }

    private static Deed writes(final String lines)
    {
        return (process, second) -> write(process, lines);
    }

    private static Predicate<KvctlServer> isThere(final String key)
    {
        return (server) -> KvctlCall.of("get", key).to(server).runHere().exitCode() == 0;
    }

    /** Runs a command across two lives of a server, of which the first ends once it is at work. */
    private static End acrossLives(
        final List<String> command, final String before, final Predicate<KvctlServer> isAtWork, final Deed after)
        throws Exception
    {
        final Process process;
        // The second one comes back to it, so it is no port that somebody else may get in between.
        final String address = FreePorts.addresses(1).get(0);
        try (KvctlServer first = start(address))
        {
            process = KvctlCall.of(command.toArray(String[]::new)).to(first).start();
            write(process, before);
            while (!isAtWork.test(first))
            {
                Thread.onSpinWait();
            }
            first.signal("KILL");
            first.await();
        }
        try (KvctlServer second = start(address))
        {
            after.with(process, second);
            process.getOutputStream().close();
            // Both are short.
            final String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
            final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertEquals(address, second.address());
            return new End(process.waitFor(), output, errors);
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    private static KvctlServer start(final String address) throws Exception
    {
        return KvctlServer.start(KvctlCall.of("server", "--listen", address, "--memory", "64m", "--device", "shm"));
    }

    private static void write(final Process process, final String lines) throws Exception
    {
        final OutputStream output = process.getOutputStream();
        output.write(lines.getBytes(UTF_8));
        output.flush();
    }
}
