package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.onesided.testing.ProjectFolder;

/**
 * Builds a sample with Maven against what this build would install, as an application elsewhere does, and runs it. The
 * artifacts are in a local repository of the test's own, which is in front of the user's.
 */
final class SampleBuild
{
    private static final Map<String, Path> POMS = Map.of(
        "onesided", Path.of("pom.xml"),
        "onesided-bom", Path.of("config", "bom", "pom.xml"),
        "store-protocol", Path.of("store-protocol", "pom.xml"),
        "store-client", Path.of("store-client", "pom.xml"),
        "store-server", Path.of("store-server", "pom.xml"),
        "store-junit", Path.of("store-junit", "pom.xml"));
    private static final Map<String, String> MODULES = Map.of(
        "store-protocol", "org.onesided.protocol",
        "store-client", "org.onesided.client",
        "store-server", "org.onesided.server",
        "store-junit", "org.onesided.junit");

    /** What Maven says where there is no network. */
    private static final Pattern UNRESOLVED = Pattern.compile(
        "could not be resolved|Could not resolve|Could not transfer|Non-resolvable|PluginResolutionException|" +
            "Cannot access \\S+ .* offline");

    private static final Pattern OWN_UNRESOLVED = Pattern.compile("(find|transfer) artifact org\\.onesided");

    private final Path sample;
    private final String jar;

    /**
     * Builds a copy.
     *
     * @param name      of the sample's folder in {@code docs}.
     * @param jar       that comes out.
     * @param directory for the copy.
     */
    SampleBuild(final String name, final String jar, final Path directory) throws Exception
    {
        this.jar = jar;
        final String maven = System.getProperty("onesided.test.maven.home");
        assumeTrue(maven != null, "run by Maven, which says where it is");
        final Path repository = directory.resolve("repository");
        install(repository);
        sample = copy(ProjectFolder.ROOT.resolve("docs").resolve(name), directory.resolve("sample"));

        final List<String> build = List.of(
            maven + "/bin/mvn", "-B", "-ntp", "-q", "-f", sample.resolve("pom.xml").toString(),
            "-Dmaven.repo.local=" + repository, "-Dmaven.repo.local.tail=" + localRepository(), "package");
        final List<String> offline = new ArrayList<>(build);
        offline.add("--offline");
        // What an earlier build has fetched is there without a network.
        if (run(offline).exitCode() != 0)
        {
            final Run online = run(build);
            if (online.exitCode() != 0 && UNRESOLVED.matcher(online.output()).find() &&
                !OWN_UNRESOLVED.matcher(online.output()).find())
            {
                System.err.println("sample: SKIPPED: Maven cannot fetch its plugins: " + online.output());
                abort("Maven cannot fetch its plugins");
            }
            assertEquals(0, online.exitCode(), online.output());
        }
    }

    /** A file or folder of the copy. */
    Path resolve(final String name)
    {
        return sample.resolve(name);
    }

    /** Runs the jar. Fails unless it prints what the page of the sample shows, and nothing else. */
    void checkOutput(final String... arguments) throws Exception
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24)
        {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-jar", sample.resolve("target").resolve(jar).toString()));
        command.addAll(List.of(arguments));
        final Run application = run(command);
        assertEquals(0, application.exitCode(), application.output());
        final Matcher shown = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(sample.resolve("README.md")));
        assertTrue(shown.find());
        assertEquals(shown.group(1), application.output());
    }

    /** Puts the artifacts where {@code mvn install} would. */
    private static void install(final Path repository) throws IOException
    {
        final Matcher version = Pattern.compile("<version>([^<]+)</version>")
            .matcher(Files.readString(ProjectFolder.ROOT.resolve("pom.xml")));
        assertTrue(version.find());
        for (final Map.Entry<String, Path> pom : POMS.entrySet())
        {
            final String name = pom.getKey() + "-" + version.group(1);
            final Path folder = Files.createDirectories(
                repository.resolve("org/onesided").resolve(pom.getKey()).resolve(version.group(1)));
            Files.copy(ProjectFolder.ROOT.resolve(pom.getValue()), folder.resolve(name + ".pom"));
            if (MODULES.containsKey(pom.getKey()))
            {
                final Path jar = ProjectFolder.ROOT.resolve(pom.getKey()).resolve("target").resolve(name + ".jar");
                assertTrue(Files.exists(jar), jar + " is made by ./mvnw package, so run this with ./check or verify");
                Files.copy(jar, folder.resolve(name + ".jar"));
                assertEquals(MODULES.get(pom.getKey()),
                    ModuleFinder.of(jar).findAll().iterator().next().descriptor().name());
            }
        }
    }

    /** The repository that this build takes its libraries from. */
    private static Path localRepository() throws Exception
    {
        // org/agrona/agrona/VERSION/agrona-VERSION.jar
        Path path = Path.of(DirectBuffer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        for (int i = 0; i < 5; i++)
        {
            path = path.getParent();
        }
        return path;
    }

    private static Path copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.walk(from))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                if (!file.startsWith(from.resolve("target")))
                {
                    final Path copy = to.resolve(from.relativize(file));
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        return to;
    }

    private static Run run(final List<String> command) throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // What the script of the outer Maven has set for itself.
        builder.environment().keySet().removeIf((name) -> name.startsWith("MAVEN_"));
        // It ends before the optimising compiler pays.
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        final Process process = builder.start();
        try
        {
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Run(process.waitFor(), output);
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    private record Run(int exitCode, String output)
    {
    }
}
