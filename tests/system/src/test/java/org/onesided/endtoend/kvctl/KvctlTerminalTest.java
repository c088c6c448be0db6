package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.testing.HangGuard;

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

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {
        "stats --watch 0.1", "load --records 1000 --duration 1500ms", "rdma doctor", "get nobody"})
    void shouldSendNoEscapeSequencesThroughAPipe(final String command) throws Exception
    {
        final String reader = command.contains("--watch") ? " 2>&1 | head -n 4 | cat" : " 2>&1 | cat";
        try (Program program = start(Map.of(), reader, command.split(" ")))
        {
            program.await();
            assertFalse(program.out().isEmpty(), command);
            assertFalse(program.out().contains(ESCAPE), program.toString());
            assertFalse(program.out().replace("\r\n", "").contains("\r"), program.toString());
        }
    }

    @Test
    void shouldShowProgressOnlyWhereSomebodyLooks() throws Exception
    {
        try (NamedPipe pipe = NamedPipe.make(directory.resolve("pairs"));
            Program imports = start(Map.of(), "", "import", pipe.path().toString()))
        {
            writeUntilImporting(pipe, imports);
            pipe.end();
            assertEquals(0, imports.await(), imports.toString());
            final String out = imports.out();
            assertTrue(out.matches("(?s).*\r" + ESCAPE + "\\[Kimporting [\\d,]+ pairs?, .*/s.*"), out);
            assertTrue(out.matches("(?s).*" + ESCAPE + "\\[Kkvctl import: [\\d,]+ pairs? imported, .*"), out);
        }
    }

    @Tag("full")
    @Test
    void shouldSayHowFarItIsWhenItIsStopped() throws Exception
    {
        try (NamedPipe pipe = NamedPipe.make(directory.resolve("pairs"));
            Program imports = start(Map.of(), "", "import", pipe.path().toString()))
        {
            writeUntilImporting(pipe, imports);
            imports.type(CONTROL_C);
            assertEquals(130, imports.await(), imports.toString());
            final String out = imports.out();
            assertTrue(out.matches(
                "(?s).*" + ESCAPE + "\\[Kkvctl import: stopped; at least [\\d,]+ pairs? imported\r?\n.*"), out);
        }
    }

    @Test
    void shouldDrawStatisticsInPlace() throws Exception
    {
        try (Program stats = start(Map.of(), "", "stats", "--watch", "0.1"))
        {
            stats.awaitOut("gets/s +0" + ESCAPE + "\\[K");
            stats.awaitOut(ESCAPE + "\\[1[0-9]A" + server.address() + " at ");
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
            // Each key is pressed at a new prompt, or in a line that is shown.
            final String prompt = "(?s).*" + server.address() + "> ";
            shell.awaitOut(prompt);
            shell.type("mp\t");
            shell.awaitAnswer("mput ");
            shell.type("seen 'a b'\r");
            shell.awaitAnswer("seen 'a b'" + prompt);
            shell.type("get --outp\tjson seen\r");
            shell.awaitAnswer("\\{\"key\":\"seen\",\"value\":\"a b\"}" + prompt);
            shell.type("nonsense\r");
            shell.awaitAnswer("no such command: nonsense; see help" + prompt);
            shell.type(" put hidden 1\r");
            shell.awaitAnswer(" put hidden 1" + prompt);
            shell.type("ping -i 1ms\r");
            shell.awaitAnswer("seq=3 ");
            shell.type(CONTROL_C);
            shell.awaitAnswer("\nRPC  +\\d" + prompt);
            shell.type("taken back");
            shell.awaitAnswer("taken back");
            shell.type(CONTROL_C);
            shell.awaitAnswer(prompt);
            shell.type("mget hidden\r");
            shell.awaitAnswer("hidden\t1" + prompt);
            shell.type(CONTROL_D);
            assertEquals(0, shell.await(), shell.toString());
        }
        final Path history = directory.resolve("kvctl").resolve("history");
        final String lines = Files.readString(history);
        assertTrue(lines.contains("mput seen 'a b'") && lines.contains("ping -i 1ms"), lines);
        assertFalse(lines.contains("put hidden"), lines);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(history)));
    }

    @Tag("full")
    @Test
    void shouldKeepWhatIsTypedWhileACommandRuns() throws Exception
    {
        try (Program shell = start(Map.of("XDG_STATE_HOME", directory.toString()), "", "shell"))
        {
            shell.awaitOut("(?s).*" + server.address() + "> ");
            shell.type("ping -c 200 -i 1ms\r");
            shell.awaitAnswer("seq=3 ");
            shell.type("put ahead 'in time'\rget ahead\r" + CONTROL_D);
            assertEquals(0, shell.await(), shell.toString());
            shell.awaitAnswer("[^']in time\r\n");
        }
    }

    private static void writeUntilImporting(final NamedPipe pipe, final Program imports) throws Exception
    {
        pipe.isReadBy(imports);
        final long endNs = System.nanoTime() + HangGuard.nanos(240);
        try
        {
            // A bar is drawn at a tenth of a second at the earliest, and as pairs go by.
            for (int i = 0; !imports.out().contains("importing "); i++)
            {
                assertTrue(System.nanoTime() - endNs < 0, imports.toString());
                pipe.write("import-" + i % 1000 + "\t" + "v".repeat(1000) + "\n");
            }
        }
        catch (final IOException e)
        {
            imports.await();
            throw new IOException(imports.toString(), e);
        }
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
