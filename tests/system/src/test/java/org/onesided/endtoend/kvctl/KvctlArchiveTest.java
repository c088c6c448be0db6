package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ProjectFolder;

/**
 * The archive of loaded classes beside an installed kvctl: it is used where it fits, and never noticed otherwise.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlArchiveTest
{
    private static final String FROM_ARCHIVE = "org.onesided.tools.kvctl.Kvctl source: shared objects file";
    private static final String FROM_JAR = "org.onesided.tools.kvctl.Kvctl source: file:";
    /** Without such classes, members of a cluster start as slowly as without an archive. */
    private static final String OF_A_MEMBER = "org/apache/ratis/grpc/server/GrpcLogAppender";

    @TempDir
    private Path root;
    private Path target;
    private Path jar;

    @BeforeEach
    void install() throws IOException
    {
        target = Files.createDirectories(root.resolve("tools/target"));
        jar = target.resolve("kvctl.jar");
        final Path built = ProjectFolder.ROOT.resolve("tools/target");
        try (Stream<Path> libraries = Files.list(built.resolve("lib")))
        {
            Files.createDirectories(target.resolve("lib"));
            for (final Path library : libraries.toList())
            {
                copy(library, target.resolve("lib").resolve(library.getFileName()));
            }
        }
        copy(built.resolve("kvctl.jar"), jar);
        copy(ProjectFolder.ROOT.resolve("kvctl"), root.resolve("kvctl"));
        final Path config = Files.createDirectories(root.resolve("config"));
        for (final String script : List.of("launcher.sh", "start.sh"))
        {
            copy(ProjectFolder.ROOT.resolve("config").resolve(script), config.resolve(script));
        }
    }

    /** In a quick check, the tests of other classes start kvctl from the archive that the build has made so. */
    @Tag("full")
    @Test
    void shouldStartFromAnArchiveThatFitsAndOtherwiseWithout() throws Exception
    {
        assertTrue(loaded("no").contains(FROM_JAR));
        assertEquals(List.of(), archives());

        final Process one = start("archive", root.resolve("one"));
        final Process other = start("archive", root.resolve("other"));
        assertUnnoticed(one);
        assertUnnoticed(other);
        assertEquals(1, archives().size(), archives().toString());
        final Path archive = archives().get(0);
        assertTrue(Files.readString(archive, ISO_8859_1).contains(OF_A_MEMBER));
        assertTrue(loaded("no").contains(FROM_ARCHIVE));

        // The user's own choice of an archive.
        assertUnnoticed(start("no", root.resolve("log"), "-Xshare:off"));
        assertFalse(Files.readString(root.resolve("log")).contains("shared objects file"));

        // Without the launcher's help, Java itself must find out.
        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH.plusSeconds(86_400)));
        assertTrue(loaded("no").contains(FROM_JAR));

        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(5)));
        assertTrue(loaded("no").contains(FROM_JAR));

        Files.delete(archive);
        Files.write(archive, new byte[]{1, 2, 3});
        Files.setLastModifiedTime(archive, FileTime.from(Instant.now().plusSeconds(10)));
        assertTrue(loaded("no").contains(FROM_JAR));
    }

    @Test
    void shouldNotTryAgainWithJarsThatNoArchiveCanBeMadeOf() throws Exception
    {
        // No key can be hashed then, but --version goes on.
        Files.delete(target.resolve("lib").resolve(library("hash4j")));

        assertUnnoticed(start("archive", root.resolve("log")));
        final Path archive = archives().get(0);
        assertEquals(0, Files.size(archive));
        final Object first = Files.readAttributes(archive, "unix:ino").get("ino");
        assertUnnoticed(start("archive", root.resolve("log")));

        assertEquals(List.of(archive), archives());
        assertEquals(first, Files.readAttributes(archive, "unix:ino").get("ino"));
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private String library(final String name) throws IOException
    {
        try (Stream<Path> libraries = Files.list(target.resolve("lib")))
        {
            return libraries.map(library -> library.getFileName().toString())
                .filter(library -> library.startsWith(name)).findFirst().orElseThrow();
        }
    }

    /** Which classes were loaded from where. */
    private String loaded(final String build) throws Exception
    {
        final Path log = root.resolve("log");
        assertUnnoticed(start(build, log));
        return Files.readString(log);
    }

    private Process start(final String build, final Path log, final String... options) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(root.resolve("kvctl").toString(), "--version")
            .redirectErrorStream(true);
        final List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xlog:class+load:file=" + log));
        all.addAll(List.of(options));
        builder.environment().put("KVCTL_BUILD", build);
        builder.environment().put("KVCTL_JAVA_OPTS", String.join(" ", all));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    private static void assertUnnoticed(final Process process) throws Exception
    {
        final String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertTrue(printed.matches("kvctl \\S+\n"), printed);
        assertEquals(0, process.waitFor());
    }

    /** All that is beside the jars. */
    private List<Path> archives() throws IOException
    {
        try (Stream<Path> files = Files.list(target))
        {
            return files.filter(file -> file.getFileName().toString().startsWith("kvctl-")).toList();
        }
    }
}
