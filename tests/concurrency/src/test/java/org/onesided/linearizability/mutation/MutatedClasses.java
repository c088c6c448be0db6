package org.onesided.linearizability.mutation;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Classes made from mutated sources, in a temporary folder, to be found before the real ones.
 */
final class MutatedClasses implements AutoCloseable
{
    private static final String SOURCES = "src/main/java/";

    private final Path folder;

    /**
     * Compiles.
     *
     * @param root      of the project.
     * @param mutations to be made, all together.
     */
    MutatedClasses(final Path root, final List<Mutation> mutations) throws IOException
    {
        final Map<String, String> sources = new LinkedHashMap<>();
        for (final Mutation mutation : mutations)
        {
            mutation.apply(sources, root);
        }
        folder = Files.createTempDirectory("mutated");
        boolean isMade = false;
        try
        {
            compile(sources);
            isMade = true;
        }
        finally
        {
            if (!isMade)
            {
                close();
            }
        }
    }

    private void compile(final Map<String, String> sources) throws IOException
    {
        final Path mutated = Files.createDirectory(folder.resolve("sources"));
        final List<Path> files = new ArrayList<>();
        for (final Map.Entry<String, String> source : sources.entrySet())
        {
            final String path = source.getKey();
            final Path file = mutated.resolve(path.substring(path.indexOf(SOURCES) + SOURCES.length()));
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, source.getValue()));
        }
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null)
        {
            throw new IOException("this is no JDK, there is no compiler: java.home=" + System.getProperty("java.home"));
        }
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null))
        {
            final List<String> options = List.of(
                "-nowarn", "-proc:none", "-cp", System.getProperty("java.class.path"),
                "-d", Files.createDirectory(classes()).toString());
            if (!compiler.getTask(messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                .call())
            {
                throw new IOException("mutated sources do not compile:\n" + messages);
            }
        }
    }

    Path classes()
    {
        return folder.resolve("classes");
    }

    @Override
    public void close() throws IOException
    {
        try (Stream<Path> files = Files.walk(folder))
        {
            for (final Path file : files.sorted((a, b) -> b.compareTo(a)).toList())
            {
                Files.delete(file);
            }
        }
    }
}
