package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;
import org.onesided.client.AsyncSession;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.typed.Codecs;
import org.onesided.client.typed.TypedStore;
import org.onesided.client.types.EntryConsumer;
import org.onesided.client.types.ScannedEntry;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;
import org.onesided.testing.ProjectFolder;

/**
 * What docs/testing.md says that tests of applications can mock.
 */
class MockingTest
{
    private static final FailureContext CONTEXT = new FailureContext("put", "tea", "server:1", WriteFate.UNKNOWN);

    /** All interfaces of the API: none is sealed. */
    static List<Class<?>> interfaces()
    {
        return PublicApi.ALL.stream().flatMap(api -> api.types().stream())
            .filter(type -> type.isInterface() && !type.isAnnotation()).toList();
    }

    @ParameterizedTest
    @MethodSource("interfaces")
    void shouldMockEachInterface(final Class<?> type)
    {
        assertFalse(type.isSealed());
        assertInstanceOf(type, mock(type));
    }

    @Test
    void shouldStubAClient()
    {
        final StoreClient store = mock(StoreClient.class);
        final Version version = new Version(1, 2);
        when(store.get("tea")).thenReturn("3");
        when(store.getVersioned("tea")).thenReturn(new VersionedValue<>("3", version));
        when(store.putIfVersion("tea", "4", version)).thenReturn(new WriteOutcome(true, new Version(1, 3)));
        when(store.getAll(Set.of("tea"))).thenReturn(Map.of("tea", "3"));
        doThrow(new StoreDeadlineException("late", CONTEXT)).when(store).put("tea", "5");

        assertEquals("3", store.get("tea"));
        assertNull(store.get("coffee"));
        assertEquals(version, store.getVersioned("tea").version());
        assertEquals(3, store.putIfVersion("tea", "4", version).version().number());
        assertEquals(Map.of("tea", "3"), store.getAll(Set.of("tea")));
        assertEquals(WriteFate.UNKNOWN,
            assertThrows(StoreDeadlineException.class, () -> store.put("tea", "5")).writeFate());
        store.close();
        verify(store).close();
    }

    @Test
    void shouldStubViewsOfAClient()
    {
        final StoreClient store = mock(StoreClient.class);
        final StoreOperations hasty = mock(StoreOperations.class);
        final AsyncStore async = mock(AsyncStore.class);
        when(store.within(Duration.ofMillis(5))).thenReturn(hasty);
        when(store.async()).thenReturn(async);
        when(hasty.increment("visits", 1)).thenReturn(7L);
        when(async.get(anyString())).thenReturn(CompletableFuture.completedFuture("3"));
        when(async.contains("tea")).thenReturn(
            CompletableFuture.failedFuture(new StoreDeadlineException("late", CONTEXT)));

        assertEquals(7, store.within(Duration.ofMillis(5)).increment("visits", 1));
        assertEquals("3", store.async().get("tea").join());
        assertTrue(store.async().contains("tea").isCompletedExceptionally());
    }

    /** A typed store can also be a view of a mocked client, so that its codecs are tested with it. */
    @Test
    void shouldStubATypedStoreOrWhatIsBelowIt()
    {
        final StoreClient store = mock(StoreClient.class);
        when(store.get(any(byte[].class))).thenReturn("42".getBytes(StandardCharsets.UTF_8));
        assertEquals(42L, TypedStore.of(store, Codecs.utf8(), Codecs.decimal()).get("answer"));

        @SuppressWarnings("unchecked")
        final TypedStore<String, Long> typed = mock(TypedStore.class);
        when(typed.get("answer")).thenReturn(42L);
        assertEquals(42L, typed.get("answer"));
    }

    @Test
    void shouldPassPairsToTheVisitorOfAScan()
    {
        final StoreClient store = mock(StoreClient.class);
        final ScannedEntry entry = mock(ScannedEntry.class);
        when(entry.version()).thenReturn(new Version(1, 2));
        Mockito.doAnswer(call ->
        {
            final EntryConsumer consumer = call.getArgument(0);
            consumer.accept(buffer("tea"), buffer("3"));
            return null;
        }).when(store).scan(any(EntryConsumer.class));

        final byte[] found = new byte[3];
        store.scan((key, value) -> key.getBytes(0, found));
        assertArrayEquals("tea".getBytes(StandardCharsets.UTF_8), found);
        assertEquals(2, entry.version().number());
    }

    @Test
    void shouldMockTheFinalClassesThatThePageNames() throws Exception
    {
        final StoreSession session = mock(StoreSession.class);
        when(session.get("tea")).thenReturn("3");
        assertEquals("3", session.get("tea"));
        final AsyncSession async = mock(AsyncSession.class);
        when(async.poll()).thenReturn(2);
        assertEquals(2, async.poll());

        final String page = Files.readString(ProjectFolder.ROOT.resolve("docs/testing.md"));
        final String section = page.substring(page.indexOf("## Mocks"));
        for (final Class<?> type : List.of(StoreClient.class, AsyncStore.class, StoreOperations.class,
            TypedStore.class, StoreSession.class, AsyncSession.class))
        {
            assertTrue(section.contains("`" + type.getSimpleName() + "`"), type.getSimpleName());
        }
    }

    private static UnsafeBuffer buffer(final String text)
    {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
    }
}
