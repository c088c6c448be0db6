package org.onesided.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the project's files are, for tests that read them or start its programs.
 */
public final class ProjectFolder
{
    /** The working directory, or the nearest folder above it that holds the project's build. */
    public static final Path ROOT = root();

    private static final String TEST_SOURCES = "src/test/java";

    private ProjectFolder()
    {
    }

    /**
     * Lists the folders of test sources of all modules.
     *
     * @return their absolute paths, in no particular order.
     * @throws IOException if they cannot be listed.
     */
    public static List<Path> testSources() throws IOException
    {
        final List<Path> folders = new ArrayList<>();
        for (final Path parent : List.of(ROOT, ROOT.resolve("tests")))
        {
            try (Stream<Path> modules = Files.list(parent))
            {
                modules.map((module) -> module.resolve(TEST_SOURCES)).filter(Files::isDirectory).forEach(folders::add);
            }
        }
        return folders;
    }

    private static Path root()
    {
        final Path start = Path.of("").toAbsolutePath();
        Path folder = start;
        while (!Files.exists(folder.resolve("mvnw")))
        {
            folder = folder.getParent();
            if (folder == null)
            {
                throw new IllegalStateException("not within the project: workingDirectory=" + start);
            }
        }
        return folder;
    }
}
