package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.testing.ProjectFolder;

/**
 * A load run at a real terminal, with its progress and Ctrl-C: tests/run terminal looks at it.
 */
@Tag("full")
class TerminalTranscriptTest
{
    private static final int LEFT_OUT = 77;

    @Test
    void shouldLookAsTheDocumentationShowsIt() throws Exception
    {
        final ProcessBuilder builder = new ProcessBuilder(
            ProjectFolder.ROOT.resolve("tests/run").toString(), "terminal", "--check").redirectErrorStream(true);
        // What is built now is what is tested.
        builder.environment().put("KVCTL_BUILD", "no");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        final Process process = builder.start();
        process.getOutputStream().close();
        final String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        final int exitCode = process.waitFor();
        assumeFalse(exitCode == LEFT_OUT, text);
        assertEquals(0, exitCode, text);
    }
}
