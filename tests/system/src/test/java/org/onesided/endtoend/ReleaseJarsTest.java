package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.testing.ProjectFolder;

/**
 * Looks into the jars of sources and Javadoc that {@code ./check -Prelease} makes.
 */
class ReleaseJarsTest
{
    @ParameterizedTest
    @CsvSource({
        "store-client, org.onesided.client/, org/onesided/client/StoreClient, " +
            "org/onesided/client/micrometer/StoreClientMetrics",
        "store-server, '', org/onesided/server/StoreServer, org/onesided/server/ServerOptions",
        "store-protocol, org.onesided.protocol/, org/onesided/verbs/Context, org/onesided/protocol/bootstrap/Token",
    })
    void shouldHoldWhatTheModuleHas(
        final String module, final String pages, final String first, final String second) throws IOException
    {
        final List<Path> jars;
        try (Stream<Path> files = Files.list(ProjectFolder.ROOT.resolve(module).resolve("target")))
        {
            jars = files.filter((file) -> file.toString().matches(".*-(sources|javadoc)\\.jar")).sorted().toList();
        }
        assumeTrue(!jars.isEmpty(), "made by ./check -Prelease only");

        assertTrue(jars.size() == 2, jars.toString());
        for (final Path path : jars)
        {
            final boolean isSources = path.toString().endsWith("-sources.jar");
            try (JarFile jar = new JarFile(path.toFile()))
            {
                for (final String type : List.of(first, second))
                {
                    final String entry = isSources ? type + ".java" : pages + type + ".html";
                    assertTrue(jar.getEntry(entry) != null, path + " has no " + entry);
                }
            }
        }
    }
}
