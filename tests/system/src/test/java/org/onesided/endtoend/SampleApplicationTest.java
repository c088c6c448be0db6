package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ServerProcess;

/**
 * Builds and runs the samples, as {@link SampleBuild} says.
 */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("full")
class SampleApplicationTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldBuildAndRunTheSample() throws Exception
    {
        final SampleBuild sample = new SampleBuild("sample", "sample.jar", directory);

        try (Stream<Path> jars = Files.list(sample.resolve("target/lib")))
        {
            final List<String> libraries = jars.map((jar) -> jar.getFileName().toString()).toList();
            assertFalse(libraries.stream().anyMatch((jar) -> jar.contains("analytics") || jar.contains("junit")),
                libraries.toString());
        }
        final String report =
            Files.readString(sample.resolve("target/surefire-reports/com.example.sample.SampleTest.txt"));
        assertTrue(report.contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0"), report);
        try (ServerProcess server = ServerProcess.start("--memory", "32m"))
        {
            sample.checkOutput(server.address());
        }
    }

    @Test
    void shouldBuildAndRunTheSampleWithSpring() throws Exception
    {
        final SampleBuild sample = new SampleBuild("spring-sample", "spring-sample.jar", directory);
        try (ServerProcess server = ServerProcess.start("--memory", "32m"))
        {
            final Path options = directory.resolve("onesided.properties");
            Files.writeString(options, Files.readString(sample.resolve("src/main/resources/onesided.properties"))
                .replace("127.0.0.1:19875", server.address()));

            sample.checkOutput("--spring.cache.jcache.config=" + options.toUri());
        }
    }
}
