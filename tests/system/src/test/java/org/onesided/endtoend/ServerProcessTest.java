package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.testing.LoggedErrors;
import org.onesided.testing.ServerProcess;

/**
 * What goes wrong with a server on the quiet fails the test that it belongs to.
 */
class ServerProcessTest
{
    @Test
    void shouldFailWhereTheServerLogsAnError() throws IOException
    {
        final ServerProcess server = ServerProcess.startIn(
            List.of("sh", "-c", "echo 2026-01-01T00:00:00Z ERROR planted >&2; exec \"$@\"", "sh"), "127.0.0.1:0");
        assertEquals(0, server.terminate());
        final AssertionError thrown = assertThrows(AssertionError.class, server::close);
        assertTrue(thrown.getMessage().contains("ERROR planted"), thrown.getMessage());
        server.close();
    }

    @Test
    void shouldFailWhereTheServerEndsByItself() throws Exception
    {
        final ServerProcess server = ServerProcess.start();
        final ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        process.destroyForcibly();
        process.onExit().get();
        final AssertionError thrown = assertThrows(AssertionError.class, server::close);
        assertTrue(thrown.getMessage().startsWith("server ended by itself: exitCode=137"), thrown.getMessage());
    }

    @Test
    void shouldBearAServerThatTheTestEnds() throws IOException
    {
        final ServerProcess killed = ServerProcess.start();
        killed.kill();
        killed.close();
        ServerProcess.start().close();
        final ServerProcess ended = ServerProcess.start();
        assertEquals(0, ended.terminate());
        ended.close();
    }

    @Test
    void shouldFailWhereThisProcessLogsAnError()
    {
        final LoggedErrors errors = LoggedErrors.begin();
        System.err.println("a WARN, no more");
        errors.check();
        System.err.println("2026-01-01T00:00:00Z ERROR planted\n\tat somewhere");
        final AssertionError thrown = assertThrows(AssertionError.class, errors::check);
        assertTrue(thrown.getMessage().endsWith("ERROR planted\n"), thrown.getMessage());
        errors.check();
    }
}
