package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.junit.OnesidedServer;
import org.onesided.junit.TestStore;

/**
 * An application that is a module compiles and runs with the library on the module path.
 */
@OnesidedServer
class ModulePathTest
{
    /** What the client needs, by the names of jars or of folders of classes. */
    private static final Pattern LIBRARY = Pattern.compile(
        "(store-protocol|store-client|agrona|chronicle-(bytes|core|[a-z]+-annotations)|posix|affinity|jnr-|jffi|asm|" +
            "hash4j|slf4j-(api|simple)|jnr|annotations).*");

    private static final String MODULE = """
        module com.example.application
        {
            requires org.onesided.client;
        }
        """;

    private static final String PROGRAM = """
        package com.example.application;

        import org.onesided.client.StoreClient;
        import org.onesided.client.typed.Codecs;
        import org.onesided.client.typed.TypedStore;

        public final class Program
        {
            public static void main(final String[] arguments)
            {
                try (StoreClient store = StoreClient.builder().server(arguments[0]).build())
                {
                    store.put("key", "1");
                    store.increment("key", 1);
                    TypedStore.of(store, Codecs.utf8(), Codecs.decimal()).asMap().merge("key", 40L, Long::sum);
                    System.out.println(store.async().get("key").join() + " " +
                        Program.class.getModule().getName() + " " + StoreClient.class.getModule().getName());
                }
            }
        }
        """;

    @TempDir
    private Path directory;

    @Test
    void shouldRunAnApplicationThatIsAModule(final TestStore store) throws Exception
    {
        final List<String> path = new ArrayList<>(Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(each -> LIBRARY.matcher(nameOf(Path.of(each))).matches()).toList());
        final Set<String> modules = ModuleFinder.of(path.stream().map(Path::of).toArray(Path[]::new)).findAll().stream()
            .map(each -> each.descriptor().name()).collect(Collectors.toSet());
        assertTrue(modules.containsAll(Set.of("org.onesided.client", "org.onesided.protocol")), modules.toString());
        compile(String.join(File.pathSeparator, path));
        path.add(directory.resolve("application").toString());

        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-exports", "java.base/jdk.internal.misc=org.agrona",
            "--add-modules", "ALL-MODULE-PATH"));
        if (Runtime.version().feature() >= 24)
        {
            command.addAll(List.of(
                "--enable-native-access=org.jnrproject.jffi", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.addAll(List.of("--module-path", String.join(File.pathSeparator, path),
            "-m", "com.example.application/com.example.application.Program", store.address()));
        final Path output = directory.resolve("output");
        final Process process =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try
        {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "still running: " + Files.readString(output));
        }
        finally
        {
            process.destroyForcibly();
        }
        assertEquals("42 com.example.application org.onesided.client\n", Files.readString(output));
    }

    private void compile(final String path) throws Exception
    {
        final Path sources = directory.resolve("sources/com/example/application");
        Files.createDirectories(sources);
        final Path module = Files.writeString(directory.resolve("sources/module-info.java"), MODULE);
        final Path program = Files.writeString(sources.resolve("Program.java"), PROGRAM);
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null))
        {
            assertTrue(compiler.getTask(messages, files, null,
                List.of("--release", "17", "-d", directory.resolve("application").toString(), "--module-path", path),
                null, files.getJavaFileObjects(module, program)).call(), messages.toString());
        }
    }

    private static String nameOf(final Path path)
    {
        return path.getFileName().toString();
    }
}
