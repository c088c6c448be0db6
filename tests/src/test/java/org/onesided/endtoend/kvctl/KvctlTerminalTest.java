package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is different where somebody looks.
 */
class KvctlTerminalTest
{
    private static final String ESCAPE = "\u001B";
    private static final String CONTROL_C = "\u0003";
    private static final String CONTROL_D = "\u0004";

    private static KvctlServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception
    {
        assumeTrue(Terminal.isThere(), "script, of util-linux, is not installed");
        server = KvctlServer.start();
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        if (server != null)
        {
            server.close();
        }
    }

    @Test
    void shouldColourTheHelpUnlessItMustNot() throws Exception
    {
        assertTrue(help(Map.of(), "").contains(ESCAPE + "["));
        assertFalse(help(Map.of("NO_COLOR", "1"), "").contains(ESCAPE));
        assertFalse(help(Map.of("TERM", "dumb"), "").contains(ESCAPE));
        assertFalse(help(Map.of(), " | cat").contains(ESCAPE));
    }

    @Test
    void shouldShowProgressOnlyWhereSomebodyLooks() throws Exception
    {
        final Path pipe = directory.resolve("pairs");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        try (Program imports = start(Map.of(), "", "import", pipe.toString()))
        {
            try (var writer = Files.newBufferedWriter(pipe))
            {
                // A bar is drawn at a tenth of a second at the earliest, and as pairs go by.
                for (int i = 0; !imports.out().contains("importing "); i++)
                {
                    writer.write("progress-" + i % 1000 + "\t" + "v".repeat(1000) + "\n");
                }
            }
            catch (final IOException e)
            {
                imports.await();
                throw new IOException(imports.toString(), e);
            }
            assertEquals(0, imports.await(), imports.toString());
            final String out = imports.out();
            assertTrue(out.matches("(?s).*\r" + ESCAPE + "\\[Kimporting [\\d,]+ pairs, .*/s.*"), out);
            assertTrue(out.matches("(?s).*" + ESCAPE + "\\[Kkvctl import: [\\d,]+ pairs imported, .*"), out);
        }
    }

    @Test
    void shouldSayHowFarItIsWhenItIsStopped() throws Exception
    {
        final Path pipe = directory.resolve("pairs");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        try (Program imports = start(Map.of(), "", "import", pipe.toString()))
        {
            // Not buffered, so that nothing is left to be written to a pipe that nobody reads any more.
            try (OutputStream output = Files.newOutputStream(pipe))
            {
                for (int i = 0; !imports.out().contains("importing "); i++)
                {
                    output.write(("stop-" + i % 1000 + "\t" + "v".repeat(1000) + "\n").getBytes(UTF_8));
                }
                imports.type(CONTROL_C);
                assertEquals(130, imports.await(), imports.toString());
            }
            final String out = imports.out();
            assertTrue(out.matches(
                "(?s).*" + ESCAPE + "\\[Kkvctl import: stopped; at least [\\d,]+ pairs imported\r?\n.*"), out);
        }
    }

    @Test
    void shouldDrawStatisticsInPlace() throws Exception
    {
        try (Program stats = start(Map.of(), "", "stats", "--watch", "0.1"))
        {
            stats.awaitOut("gets/s +0" + ESCAPE + "\\[K");
            stats.awaitOut(ESCAPE + "\\[13A" + server.address() + " at ");
            stats.type(CONTROL_C);
            assertEquals(0, stats.await(), stats.toString());
        }
    }

    @Test
    void shouldEditCompleteAndRememberLines() throws Exception
    {
        final Map<String, String> state = Map.of("XDG_STATE_HOME", directory.toString());
        try (Program shell = start(state, "", "shell"))
        {
            // Keys that do something are pressed at a prompt: until then the terminal is not the shell's.
            final String prompt = "(?s).*" + server.address() + "> ";
            shell.awaitOut(prompt);
            shell.type("mp\t");
            shell.awaitOut("mput ");
            shell.type("seen 'a b'\r");
            shell.awaitOut("seen 'a b'" + prompt);
            shell.type("get --outp\tjson seen\r");
            shell.awaitOut("\\{\"key\":\"seen\",\"value\":\"a b\"}" + prompt);
            shell.type("nonsense\r");
            shell.awaitOut("there is no command nonsense; see help" + prompt);
            shell.type(" put hidden 1\r");
            shell.awaitOut(" put hidden 1" + prompt);
            shell.type("ping -i 1ms\r");
            shell.awaitOut("seq=3 ");
            shell.type(CONTROL_C);
            shell.awaitOut("\nRPC  +\\d" + prompt);
            shell.type("taken back");
            shell.awaitOut("taken back");
            shell.type(CONTROL_C);
            shell.awaitOut("taken back" + prompt);
            shell.type("mget hidden\r");
            shell.awaitOut("hidden\t1" + prompt);
            shell.type(CONTROL_D);
            assertEquals(0, shell.await(), shell.toString());
        }
        final Path history = directory.resolve("kvctl").resolve("history");
        final String lines = Files.readString(history);
        assertTrue(lines.contains("mput seen 'a b'") && lines.contains("ping -i 1ms"), lines);
        assertFalse(lines.contains("put hidden"), lines);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(history)));
    }

    private String help(final Map<String, String> environment, final String redirection) throws Exception
    {
        try (Program help = start(environment, redirection, "get", "--help"))
        {
            assertEquals(0, help.await(), help.toString());
            assertTrue(help.out().contains("Examples:"), help.toString());
            return help.out();
        }
    }

    private static Program start(
        final Map<String, String> environment, final String redirection, final String... arguments) throws IOException
    {
        final Map<String, String> all = new HashMap<>(environment);
        all.put("KVCTL_SERVER", server.address());
        return Terminal.start(all, redirection, arguments);
    }
}
