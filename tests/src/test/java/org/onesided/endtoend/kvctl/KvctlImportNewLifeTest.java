package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/**
 * An import that outlives its server.
 */
class KvctlImportNewLifeTest
{
    private static final int FATE_UNKNOWN = 6;
    private static final int ATTEMPTS = 10;

    @Test
    void shouldFailWhenTheTableBeganEmptyAmidAnImport() throws Exception
    {
        ImportEnd end = importAcrossLives();
        // Where the server died with the first pair in place but its answer under way, its fate is unknown.
        for (int i = 1; i < ATTEMPTS && end.exitCode() == FATE_UNKNOWN; i++)
        {
            end = importAcrossLives();
        }
        assertEquals(1, end.exitCode(), end.errors());
        assertTrue(end.errors().contains("its table began empty"), end.errors());
        assertTrue(end.errors().contains("import all again"), end.errors());
    }

    private record ImportEnd(int exitCode, String errors)
    {
    }

    private static ImportEnd importAcrossLives() throws Exception
    {
        final Process importer;
        final String address;
        try (KvctlServer first = KvctlServer.start())
        {
            address = first.address();
            importer = KvctlCall.of("import", "-").to(first).start();
            write(importer, "first\t1\n");
            while (KvctlCall.of("get", "first").to(first).runHere().exitCode() != 0)
            {
                Thread.onSpinWait();
            }
            first.signal("KILL");
            first.await();
        }
        try (KvctlServer second =
            KvctlServer.start(KvctlCall.of("server", "--listen", address, "--memory", "64m")))
        {
            write(importer, "second\t2\n");
            importer.getOutputStream().close();
            final String errors = new String(importer.getErrorStream().readAllBytes(), UTF_8);
            assertEquals(address, second.address());
            return new ImportEnd(importer.waitFor(), errors);
        }
        finally
        {
            importer.destroyForcibly();
        }
    }

    private static void write(final Process process, final String lines) throws Exception
    {
        final OutputStream output = process.getOutputStream();
        output.write(lines.getBytes(UTF_8));
        output.flush();
    }
}
