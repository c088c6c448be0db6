package org.onesided.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;

/** What tests get from the annotation. */
@OnesidedServer
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OnesidedServerTest
{
    private static TestStore first;

    private final StoreClient client;

    OnesidedServerTest(final StoreClient client)
    {
        this.client = client;
    }

    @BeforeAll
    static void rememberStore(final TestStore store)
    {
        first = store;
        store.client().put("before", "all");
    }

    @BeforeEach
    void put(final StoreClient given)
    {
        given.put("each", "time");
    }

    @Test
    @Order(1)
    void shouldLeaveAPair(final AsyncStore store)
    {
        assertNull(client.get("before"));
        store.put("key", "value").orTimeout(60, TimeUnit.SECONDS).join();
        assertEquals("value", client.get("key"));
        assertEquals("time", client.get("each"));
    }

    @Test
    @Order(2)
    void shouldFindAnEmptyTable(final TestStore store)
    {
        assertSame(first, store);
        assertNull(client.get("key"));
        assertEquals("time", client.get("each"));
    }

    @Test
    @Order(3)
    void shouldLetOtherClientsConnect(final TestStore store)
    {
        try (StoreClient other = StoreClient.builder().server(store.address()).build())
        {
            other.put("other", "client");
        }
        assertEquals("client", client.get("other"));
    }

    @Nested
    class Inner
    {
        @Test
        void shouldHaveTheServerOfTheClassAroundIt(final TestStore store)
        {
            assertSame(first, store);
            assertSame(client, store.client());
            assertEquals("time", client.get("each"));
        }
    }

    @Nested
    @OnesidedServer(device = "tcp:127.0.0.1:0", shards = 2, memory = "32m")
    class Annotated
    {
        @Test
        void shouldHaveAServerOfItsOwn(final TestStore store)
        {
            assertNotSame(first, store);
            assertEquals(2, store.server().shardCount());
            assertTrue(store.server().device().startsWith("tcp"), store.server().device());
            assertEquals("time", store.client().get("each"));
            assertNull(store.client().get("before"));
        }
    }
}
