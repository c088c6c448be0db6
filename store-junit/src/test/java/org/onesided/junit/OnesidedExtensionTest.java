package org.onesided.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.protocol.bootstrap.Token;

/** Runs test classes that use the extension, and looks at what is left behind. */
class OnesidedExtensionTest
{
    private static final List<TestStore> SEEN = new ArrayList<>();
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    @BeforeEach
    void forget()
    {
        SEEN.clear();
    }

    @Test
    void shouldShareTheServerOfAStaticField()
    {
        assertEquals(2, succeeded(Shared.class));
        assertSame(SEEN.get(0), SEEN.get(1));
        assertAllStopped();
        assertThrows(IllegalStateException.class, Shared.STORE::store);
    }

    @Test
    void shouldStartAServerForEachTestOfAnotherField()
    {
        assertEquals(2, succeeded(Single.class));
        assertNotSame(SEEN.get(0), SEEN.get(1));
        assertAllStopped();
    }

    /** Tests of one server wait for each other, those of two do not: each class waits for the other's test. */
    @Test
    void shouldRunInParallelWhatDoesNotShareAServer()
    {
        BOTH.reset();
        final TestExecutionSummary summary = run(Map.of(
            "junit.jupiter.execution.parallel.enabled", "true",
            "junit.jupiter.execution.parallel.mode.default", "concurrent",
            "junit.jupiter.execution.parallel.config.strategy", "fixed",
            "junit.jupiter.execution.parallel.config.fixed.parallelism", "4"), One.class, Other.class);

        assertEquals(List.of(), summary.getFailures().stream().map((failed) -> failed.getException()).toList());
        assertEquals(4, summary.getTestsSucceededCount());
    }

    @Test
    void shouldBlameATestThatClosesWhatIsShared()
    {
        final List<String> messages = run(Map.of(), Closing.class).getFailures().stream()
            .map((failed) -> failed.getException().getMessage()).toList();

        assertEquals(2, messages.size(), messages.toString());
        assertTrue(messages.get(0).startsWith("a test has closed the client that all tests of a server share: "),
            messages.toString());
        assertTrue(messages.get(1).startsWith("this test has stopped the server that it shares: "),
            messages.toString());
    }

    @Test
    void shouldKeepPairsWhereThatIsAskedFor()
    {
        assertEquals(2, succeeded(Keeping.class));
        assertAllStopped();
    }

    @Test
    void shouldServeClassesThatInheritTheAnnotation()
    {
        assertEquals(2, succeeded(Inheriting.class));
        assertAllStopped();
    }

    @Test
    void shouldNameWhatIsWrongWithAnAttribute()
    {
        final Throwable failure = failure(WrongMemory.class);
        assertInstanceOf(ExtensionConfigurationException.class, failure);
        assertTrue(failure.getMessage().contains("memory") && failure.getMessage().contains("lots"),
            failure.getMessage());
    }

    @Test
    void shouldStopTheServerWhereItsClientIsRefused()
    {
        final Throwable failure = failure(Refusing.class);
        assertInstanceOf(StoreException.class, failure);
    }

    @Test
    void shouldLeaveOtherParametersAlone()
    {
        assertInstanceOf(ParameterResolutionException.class, failure(OtherParameter.class));
    }

    @Test
    void shouldAskForTheAnnotation()
    {
        final Throwable failure = failure(NotAnnotated.class);
        assertInstanceOf(ExtensionConfigurationException.class, failure);
        assertTrue(failure.getMessage().endsWith("NotAnnotated is not annotated with @OnesidedServer"),
            failure.getMessage());
    }

    private static void assertAllStopped()
    {
        for (final TestStore store : SEEN)
        {
            assertThrows(StoreException.class, () ->
                StoreClient.builder().server(store.address()).deadline(Duration.ofMillis(200)).build().close());
        }
    }

    private static long succeeded(final Class<?> tests)
    {
        final TestExecutionSummary summary = run(tests);
        assertEquals(List.of(), summary.getFailures().stream().map((failed) -> failed.getException()).toList());
        return summary.getTestsSucceededCount();
    }

    private static Throwable failure(final Class<?> tests)
    {
        final TestExecutionSummary summary = run(tests);
        assertEquals(1, summary.getTotalFailureCount());
        return summary.getFailures().get(0).getException();
    }

    private static TestExecutionSummary run(final Class<?> tests)
    {
        return run(Map.of("junit.jupiter.execution.parallel.enabled", "false"), tests);
    }

    private static TestExecutionSummary run(final Map<String, String> settings, final Class<?>... tests)
    {
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        final LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
            .selectors(Stream.of(tests).map(DiscoverySelectors::selectClass).toList()).configurationParameters(settings)
            .build();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }

    // Nested in a test class and static, so that they run only from here.

    static class Shared
    {
        @RegisterExtension
        static final OnesidedExtension STORE = OnesidedExtension.with((options) -> options.shards(2));

        @Test
        void shouldFindNothing(final StoreClient client)
        {
            assertEquals(2, STORE.store().server().shardCount());
            assertNull(client.get("key"));
            client.put("key", "value");
            SEEN.add(STORE.store());
        }

        @Test
        void shouldFindNothingEither(final StoreClient client)
        {
            shouldFindNothing(client);
        }
    }

    static class Single
    {
        @RegisterExtension
        final OnesidedExtension store = OnesidedExtension.with((options) -> {});

        @Test
        void shouldFindNothing(final StoreClient client)
        {
            assertSame(client, store.store().client());
            assertNull(client.get("key"));
            client.put("key", "value");
            SEEN.add(store.store());
        }

        @Test
        void shouldFindNothingEither(final StoreClient client)
        {
            shouldFindNothing(client);
        }
    }

    @OnesidedServer
    static class One
    {
        @Test
        void shouldHaveTheTableForItself(final StoreClient client) throws Exception
        {
            client.put("key", "value");
            BOTH.await(60, TimeUnit.SECONDS);
            assertEquals("value", client.get("key"));
        }

        @Test
        void shouldHaveTheTableForItselfToo(final StoreClient client) throws Exception
        {
            shouldHaveTheTableForItself(client);
        }
    }

    static class Other extends One
    {
    }

    @TestMethodOrder(MethodOrderer.MethodName.class)
    @OnesidedServer(memory = "32MiB")
    static class Closing
    {
        @Test
        void closesTheClient(final StoreClient client)
        {
            client.close();
        }

        @Test
        void findsThat()
        {
        }

        @Nested
        @OnesidedServer
        class StoppingServer
        {
            @Test
            void stopsTheServer(final TestStore store)
            {
                store.server().close();
            }
        }
    }

    @OnesidedServer(keepsPairs = true)
    static class Keeping
    {
        @Test
        void shouldFindWhatOthersPut(final TestStore store)
        {
            assertEquals(SEEN.isEmpty() ? null : "value", store.client().get("key"));
            store.client().put("key", "value");
            SEEN.add(store);
        }

        @Test
        void shouldFindWhatOthersPutToo(final TestStore store)
        {
            shouldFindWhatOthersPut(store);
        }
    }

    static class Inheriting extends Keeping
    {
    }

    @OnesidedServer(memory = "lots")
    static class WrongMemory
    {
        @Test
        void shouldRun()
        {
        }
    }

    static class Refusing
    {
        @RegisterExtension
        static final OnesidedExtension STORE =
            OnesidedExtension.with((options) -> options.token(Token.of("a-token-of-more-than-32-characters")));

        @Test
        void shouldNotRun()
        {
        }
    }

    @OnesidedServer
    static class OtherParameter
    {
        @Test
        void shouldNotRun(final Integer number)
        {
            assertNull(number);
        }
    }

    @ExtendWith(OnesidedExtension.class)
    static class NotAnnotated
    {
        @Test
        void shouldNotRun()
        {
        }
    }
}
