package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.testing.ProjectFolder;

/**
 * The descriptors of the modules export the API only, and offer the services that the jars offer on the class path.
 */
class ModuleDescriptorTest
{
    private static final Pattern NAMED = Pattern.compile("org\\.onesided\\.(?:verbs|protocol)[a-z.]*(?=\\.[A-Z])");

    @Test
    void shouldExportThePackagesOfTheApiOnly()
    {
        assertEquals(PublicApi.ALL.stream().filter(api -> api.module().equals("store-client")).map(PublicApi::name)
            .collect(Collectors.toCollection(TreeSet::new)), exports(descriptor("store-client")));
    }

    /** Of what client and server share, applications see what signatures of the client's API name. */
    @Test
    void shouldExportToAllWhatTheApiNames()
    {
        final Set<String> named = new TreeSet<>();
        PublicApi.ALL.stream().filter(api -> api.module().equals("store-client"))
            .flatMap(api -> api.types().stream()).flatMap(type -> Signatures.of(type).stream())
            .forEach(line -> NAMED.matcher(line).results().map(MatchResult::group).forEach(named::add));
        final ModuleDescriptor descriptor = descriptor("store-protocol");
        assertEquals(named, exports(descriptor));
        descriptor.exports().stream().filter(ModuleDescriptor.Exports::isQualified)
            .forEach(each -> assertEquals(Set.of("org.onesided.client"), each.targets(), each.toString()));
    }

    /** A library that applications may leave out must not be needed by those without it. */
    @Test
    void shouldRequireWhatIsOptionalAtCompileTimeOnly()
    {
        descriptor("store-client").requires().stream()
            .filter(each -> each.name().matches("cache\\.api|com\\.fasterxml.*|micrometer.*|org\\.jspecify"))
            .forEach(each -> assertEquals(
                Set.of(ModuleDescriptor.Requires.Modifier.STATIC), each.modifiers(), each.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"store-protocol", "store-client"})
    void shouldOfferTheServicesOfTheClassPath(final String module) throws IOException
    {
        final ModuleDescriptor descriptor = descriptor(module);
        final Set<String> offered = new TreeSet<>();
        descriptor.provides().forEach(each -> offered.add(each.service() + " " + new TreeSet<>(each.providers())));
        final Set<String> listed = new TreeSet<>();
        final Path services = ProjectFolder.ROOT.resolve(module).resolve("src/main/resources/META-INF/services");
        try (Stream<Path> files = Files.list(services))
        {
            for (final Path file : files.toList())
            {
                listed.add(file.getFileName() + " " + new TreeSet<>(Files.readAllLines(file)));
            }
        }
        // With it, Java 17 would not start applications without JCache: docs/jcache.md says what they do instead.
        listed.removeIf(line -> line.startsWith("javax.cache.spi.CachingProvider "));
        assertEquals(listed, offered);
        final Set<String> ours = new HashSet<>();
        listed.forEach(line -> ours.add(line.substring(0, line.indexOf(' '))));
        assertEquals(ours, descriptor.uses());
    }

    private static Set<String> exports(final ModuleDescriptor descriptor)
    {
        return descriptor.exports().stream().filter(each -> !each.isQualified())
            .map(ModuleDescriptor.Exports::source).collect(Collectors.toCollection(TreeSet::new));
    }

    private static ModuleDescriptor descriptor(final String module)
    {
        final ModuleDescriptor descriptor =
            ModuleFinder.of(PublicApi.classes(module)).findAll().iterator().next().descriptor();
        assertFalse(descriptor.isAutomatic(), module);
        return descriptor;
    }
}
