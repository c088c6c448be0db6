package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.testing.ProjectFolder;

/**
 * Users get the modules that the list of versions (the bom) names, with what these need, and nothing of the tests.
 */
class ArtifactsTest
{
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern NAME = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final String SKIPS = "<maven.install.skip>true</maven.install.skip>";

    @Test
    void shouldInstallNothingOfTheTests() throws IOException
    {
        final String parent = pom("tests/pom.xml");
        assertTrue(parent.contains(SKIPS) && parent.contains(SKIPS.replace("install", "deploy")));
        for (final String module : found(MODULE, parent))
        {
            final String pom = pom("tests/" + module + "/pom.xml");
            assertTrue(pom.contains("<artifactId>tests</artifactId>") ||
                pom.contains(SKIPS) && pom.contains(SKIPS.replace("install", "deploy")), module);
        }
    }

    @Test
    void shouldNameInTheListOfVersionsWhatIsInstalled() throws IOException
    {
        final String root = pom("pom.xml");
        final Set<String> product = found(MODULE, root);
        assertTrue(product.remove("config/bom") && product.remove("tests"), product.toString());
        final String bom = pom("config/bom/pom.xml");
        assertEquals(product,
            found(NAME, bom.substring(bom.indexOf("<dependencyManagement>"), bom.indexOf("</dependencyManagement>"))));
        // What a release is checked to have.
        final Set<String> released = new TreeSet<>(product);
        released.addAll(Set.of("onesided", "onesided-bom"));
        final String script = Files.readString(ProjectFolder.ROOT.resolve(".ci/release"));
        assertTrue(script.contains("'" + String.join(" ", released) + "'"), String.join(" ", released));
    }

    /** The server's jar can have no descriptor, but a name, or it would be called like its file. */
    @ParameterizedTest
    @CsvSource({
        "store-protocol, org.onesided.protocol, true", "store-client, org.onesided.client, true",
        "store-server, org.onesided.server, false", "store-junit, org.onesided.junit, false"})
    void shouldBeAModuleWithoutTests(final String module, final String name, final boolean isDescribed)
        throws IOException
    {
        final Path path;
        try (Stream<Path> files = Files.list(ProjectFolder.ROOT.resolve(module).resolve("target")))
        {
            path = files.filter(file -> file.getFileName().toString().matches(module + "-[0-9.]+(-SNAPSHOT)?\\.jar"))
                .findFirst().orElseThrow();
        }
        final ModuleDescriptor descriptor = ModuleFinder.of(path).findAll().iterator().next().descriptor();
        assertEquals(name, descriptor.name());
        assertEquals(isDescribed, !descriptor.isAutomatic());
        try (JarFile jar = new JarFile(path.toFile()))
        {
            assertEquals(0,
                jar.stream().filter(entry -> entry.getName().matches("[^$]*(Test|TestAuthority)\\.class")).count());
        }
    }

    private static String pom(final String path) throws IOException
    {
        return Files.readString(ProjectFolder.ROOT.resolve(path));
    }

    private static Set<String> found(final Pattern pattern, final String text)
    {
        final Set<String> found = new TreeSet<>();
        final Matcher matcher = pattern.matcher(text);
        while (matcher.find())
        {
            found.add(matcher.group(1));
        }
        return found;
    }
}
