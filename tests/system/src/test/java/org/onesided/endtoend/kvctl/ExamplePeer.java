package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import org.onesided.testing.ProjectFolder;

/**
 * The C program that plays the manual's example, compiled from this module's sources.
 */
final class ExamplePeer
{
    private static final Path MODULE = ProjectFolder.ROOT.resolve("tests/system");
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    private ExamplePeer()
    {
    }

    /** The program; compiled now if that has not been done since its source changed. */
    static synchronized Path program() throws Exception
    {
        final Path source = MODULE.resolve("src/test/c/classic_example.c");
        final Path program = MODULE.resolve("target/classic_example");
        if (!Files.exists(program) ||
            Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) < 0)
        {
            compile(source, program);
        }
        return program;
    }

    private static void compile(final Path source, final Path program) throws Exception
    {
        assumeTrue(Files.exists(HEADER), "no C peer without libibverbs-dev");
        assumeTrue(isInstalled("gcc"), "no C peer without gcc");
        final Path unfinished = program.resolveSibling("classic_example.new");
        try (Program compiler = Program.start(List.of(
            "gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", unfinished.toString(), source.toString(), "-libverbs")))
        {
            assertEquals(0, compiler.await(), compiler::toString);
        }
        Files.move(unfinished, program, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isInstalled(final String program)
    {
        return Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }
}
