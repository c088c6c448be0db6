package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.ProjectFolder;
import org.onesided.testing.ServerProcess;

/**
 * Compiles and runs the program that README shows, and compares what it prints with what README says it prints.
 */
@Timeout(300)
class ReadmeSnippetTest
{
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```\n.*?```text\n(.*?)```", Pattern.DOTALL);

    @Test
    void shouldCompileAndRunTheProgramInReadme(@TempDir final Path folder) throws Exception
    {
        final Matcher readme = PROGRAM.matcher(Files.readString(ProjectFolder.ROOT.resolve("README.md")));
        assertTrue(readme.find(), "README has a java block, and a text block with its output");
        final Path source = Files.writeString(folder.resolve("Example.java"), readme.group(1));

        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(
            null, System.err, System.err, "-cp", System.getProperty("java.class.path"), source.toString()));

        try (ServerProcess server = ServerProcess.start("--memory", "64m"))
        {
            final Process example = new ProcessBuilder(
                JavaCommand.of("Example", folder.toString(), List.of(server.address())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
            final byte[] printed = example.getInputStream().readAllBytes();
            assertEquals(0, example.waitFor());
            assertEquals(readme.group(2), new String(printed, StandardCharsets.UTF_8));
        }
    }
}
