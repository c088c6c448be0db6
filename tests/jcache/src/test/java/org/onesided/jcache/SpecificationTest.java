package org.onesided.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.cache.Caching;
import org.jsr107.tck.GetTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.onesided.client.jcache.OnesidedCachingProvider;
import org.onesided.junit.OnesidedServer;
import org.onesided.junit.TestStore;
import org.onesided.testing.ProjectFolder;

/**
 * Runs the technology compatibility kit of JSR-107 against a server of this process. A test of the kit must pass, or be
 * in the table of departures in {@code docs/jcache.md}, and then it must fail.
 */
@OnesidedServer
@Tag("full")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpecificationTest
{
    /** Classes that the kit lets be stored. */
    private static final String FILTER = "domain.*;org.jsr107.tck.**";
    private static final Pattern DEPARTURE = Pattern.compile("(?m)^\\| `(\\w+#\\w+)` \\|");
    private static final int LEAST_TESTS = 400;
    private static final Map<String, String> UNWRAPPED = Map.of(
        "javax.cache.CacheManager", "org.onesided.client.jcache.OnesidedCacheManager",
        "javax.cache.Cache", "org.onesided.client.jcache.StoreCache",
        "javax.cache.Cache.Entry", "org.onesided.client.jcache.SimpleEntry");

    @TempDir
    private Path directory;

    /** A query in the URI would not do: the kit looks for beans by the URI, and a question mark is a pattern there. */
    @BeforeEach
    void setProperties(final TestStore store) throws IOException
    {
        final Path options = directory.resolve("jcache.properties");
        Files.writeString(
            options, "onesided.server=" + store.address() + "\nonesided.serial-filter=" + FILTER + "\n");
        System.setProperty(OnesidedCachingProvider.URI_PROPERTY, options.toUri().toString());
        UNWRAPPED.forEach(System::setProperty);
    }

    @AfterEach
    void clearProperties()
    {
        // The kit leaves one that does not exist.
        System.clearProperty(Caching.JAVAX_CACHE_CACHING_PROVIDER);
        Caching.getCachingProvider().close();
        System.clearProperty(OnesidedCachingProvider.URI_PROPERTY);
        UNWRAPPED.keySet().forEach(System::clearProperty);
    }

    @Test
    void shouldPassTheKitButForTheDepartures() throws Exception
    {
        final Results results = new Results();
        LauncherFactory.create().execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(kit().stream().map((type) -> selectClass(type)).toList())
                .filters(EngineFilter.includeEngines("junit-vintage"))
                .build(),
            results);

        System.out.println("JSR-107: " + results.passed.size() + " passed, " + results.failed.size() + " failed");
        results.failed.forEach((test, failure) -> System.out.println("JSR-107 failed: " + test + ": " + failure));
        assertEquals(departures(), results.failed.keySet(), results.failed.toString());
        assertTrue(results.passed.size() >= LEAST_TESTS, "only so many tests were found: " + results.passed.size());
    }

    /** Classes of the kit, those on annotations excepted: a library that weaves brings them, no cache does. */
    private static Set<String> kit() throws IOException, URISyntaxException
    {
        final URI location = GetTest.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        try (JarFile jar = new JarFile(Path.of(location).toFile()))
        {
            return jar.stream()
                .map((entry) -> entry.getName())
                .filter((name) -> name.matches("(org/jsr107/tck|javax/cache)/([a-z]+/)?\\w+Test1?\\.class"))
                .filter((name) -> !name.contains("/annotation/"))
                .map((name) -> name.replace(".class", "").replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> departures() throws IOException
    {
        final Set<String> found = new TreeSet<>();
        final Matcher matcher = DEPARTURE.matcher(Files.readString(ProjectFolder.ROOT.resolve("docs/jcache.md")));
        while (matcher.find())
        {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** Collects what became of each test. */
    private static final class Results implements TestExecutionListener
    {
        private final Set<String> passed = new TreeSet<>();
        private final Map<String, String> failed = new TreeMap<>();

        @Override
        public void executionFinished(final TestIdentifier test, final TestExecutionResult result)
        {
            final String name = test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
                .map((source) -> source.getJavaClass().getSimpleName() + "#" + source.getMethodName())
                .orElse(test.getLegacyReportingName());
            if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL)
            {
                failed.put(name, String.valueOf(result.getThrowable().orElse(null)));
                if (Boolean.getBoolean("onesided.test.trace"))
                {
                    result.getThrowable().ifPresent(Throwable::printStackTrace);
                }
            }
            else if (test.isTest())
            {
                passed.add(test.getUniqueId());
            }
        }
    }
}
