package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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

    private static final String BYTES = """
        package com.example.application;

        import net.openhft.chronicle.bytes.Bytes;
        import org.onesided.client.StoreClient;

        public final class Program
        {
            public static void main(final String[] arguments)
            {
                try (StoreClient store = StoreClient.builder().server(arguments[0]).build())
                {
                    final Bytes<?> value = Bytes.allocateElasticDirect();
                    store.put(Bytes.from("bytes"), value.append("7"));
                    System.out.println(store.get("bytes"));
                    value.releaseLast();
                }
            }
        }
        """;

    private static final String CACHE = """
        package com.example.application;

        import java.net.URI;
        import javax.cache.Cache;
        import javax.cache.CacheManager;
        import javax.cache.Caching;
        import javax.cache.configuration.MutableConfiguration;

        public final class Program
        {
            public static void main(final String[] arguments)
            {
                try (CacheManager manager =
                    Caching.getCachingProvider("org.onesided.client.jcache.OnesidedCachingProvider")
                        .getCacheManager(URI.create("onesided://" + arguments[0]), null))
                {
                    final Cache<String, Long> cache = manager.createCache("prices",
                        new MutableConfiguration<String, Long>().setTypes(String.class, Long.class));
                    cache.put("tea", 3L);
                    System.out.println(cache.get("tea"));
                }
            }
        }
        """;

    @TempDir
    private Path directory;

    @Test
    void shouldRunAnApplicationThatIsAModule(final TestStore store) throws Exception
    {
        assertEquals("42 com.example.application org.onesided.client\n", run(PROGRAM, "", store.address()));
    }

    @Test
    void shouldRunAnApplicationThatIsAModuleWithBytes(final TestStore store) throws Exception
    {
        assertEquals("7\n", run(BYTES, "", store.address(),
            "--add-exports", "java.base/jdk.internal.ref=chronicle.core",
            "--add-exports", "java.base/sun.nio.ch=chronicle.core",
            "--add-opens", "java.base/java.lang.reflect=chronicle.core"));
    }

    /** As docs/jcache.md says. */
    @Test
    void shouldRunAnApplicationThatIsAModuleWithACache(final TestStore store) throws Exception
    {
        assertEquals("3\n", run(CACHE, "requires cache.api;", store.address()));
    }

    /** With the flags of docs/library.md; nothing is on the path that the application does not ask for. */
    private String run(
        final String program, final String requires, final String address, final String... flags) throws Exception
    {
        final List<String> path = new ArrayList<>(Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(each -> !each.endsWith("-tests.jar") && !each.endsWith("test-classes"))
            .filter(each -> LIBRARY.matcher(nameOf(Path.of(each))).matches() ||
                !requires.isEmpty() && nameOf(Path.of(each)).startsWith("cache-api")).toList());
        compile(program, requires, String.join(File.pathSeparator, path));
        path.add(directory.resolve("application").toString());

        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-exports", "java.base/jdk.internal.misc=org.agrona",
            "--enable-native-access=org.jnrproject.jffi",
            // Chronicle tells that it has started.
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        command.addAll(List.of(flags));
        if (Runtime.version().feature() >= 24)
        {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("--module-path", String.join(File.pathSeparator, path),
            "-m", "com.example.application/com.example.application.Program", address));
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
        return Files.readString(output);
    }

    private void compile(final String text, final String requires, final String path) throws Exception
    {
        final Path sources = directory.resolve("sources/com/example/application");
        Files.createDirectories(sources);
        final Path module = Files.writeString(directory.resolve("sources/module-info.java"),
            "module com.example.application { requires org.onesided.client; " + requires + " }");
        final Path program = Files.writeString(sources.resolve("Program.java"), text);
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
