package org.onesided.endtoend.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.testing.ServerProcess;
import org.onesided.tools.ycsb.OnesidedClient;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * What the binding does with each of YCSB's operations.
 */
final class OnesidedClientTest
{
    private static final String TABLE = "usertable";

    private static ServerProcess server;
    private final OnesidedClient client = new OnesidedClient();

    @BeforeAll
    static void start() throws Exception
    {
        server = ServerProcess.start("--memory", "64m");
    }

    @AfterAll
    static void stop() throws Exception
    {
        server.close();
    }

    @BeforeEach
    void open() throws DBException
    {
        connect(client);
    }

    @AfterEach
    void close() throws DBException
    {
        client.cleanup();
    }

    @Test
    void shouldReadTheFieldsThatItInserted()
    {
        assertEquals(Status.OK, client.insert(TABLE, "fields", fields("a", "one", "b", "two")));
        assertEquals(Map.of("a", "one", "b", "two"), read(client, "fields", null));
        assertEquals(Map.of("b", "two"), read(client, "fields", Set.of("b", "c")));

        assertEquals(Status.OK, client.insert(TABLE, "fields", fields("c", "three")));
        assertEquals(Map.of("c", "three"), read(client, "fields", null));
    }

    @Test
    void shouldUpdateTheNamedFieldsOnly()
    {
        client.insert(TABLE, "updated", fields("a", "one", "b", "two"));
        assertEquals(Status.OK, client.update(TABLE, "updated", fields("a", "ONE")));
        assertEquals(Map.of("a", "ONE", "b", "two"), read(client, "updated", null));
        assertEquals(Status.OK, client.update(TABLE, "updated", fields("b", "twenty-two", "c", "three")));
        assertEquals(Map.of("a", "ONE", "b", "twenty-two", "c", "three"), read(client, "updated", null));
    }

    @Test
    void shouldTellOfRecordsThatAreAbsent()
    {
        assertEquals(Status.NOT_FOUND, client.read(TABLE, "nobody", null, new HashMap<>()));
        assertEquals(Status.NOT_FOUND, client.update(TABLE, "nobody", fields("a", "one")));
        assertEquals(Status.NOT_FOUND, client.delete(TABLE, "nobody"));
        client.insert(TABLE, "deleted", fields("a", "one"));
        assertEquals(Status.OK, client.delete(TABLE, "deleted"));
        assertEquals(Status.NOT_FOUND, client.read(TABLE, "deleted", null, new HashMap<>()));
    }

    @Test
    void shouldKeepTablesApart()
    {
        client.insert("one", "key", fields("a", "in one"));
        client.insert("two", "key", fields("a", "in two"));
        assertEquals(Map.of("a", "in one"), read("one", client, "key", null));
        assertEquals(Map.of("a", "in two"), read("two", client, "key", null));
        assertEquals(Status.BAD_REQUEST, client.insert("one/t", "key", fields("a", "where?")));
    }

    @Test
    void shouldRefuseScans()
    {
        assertEquals(Status.NOT_IMPLEMENTED, client.scan(TABLE, "fields", 10, null, new Vector<>()));
    }

    @Test
    void shouldTellOfKeysThatAreTooLongAndOfStrangeValues()
    {
        assertEquals(Status.BAD_REQUEST, client.insert(TABLE, "k".repeat(5000), fields("a", "one")));
        try (StoreClient store = StoreClient.builder().server(server.address()).device("shm").build())
        {
            store.put("usertable/strange", "not of this binding");
        }
        assertEquals(Status.UNEXPECTED_STATE, client.read(TABLE, "strange", null, new HashMap<>()));
        assertEquals(Status.UNEXPECTED_STATE, client.update(TABLE, "strange", fields("a", "one")));
    }

    @Test
    void shouldLoseNoFieldOfUpdatesByThreadsOfOneProcess() throws Exception
    {
        final int threads = 4;
        client.insert(TABLE, "shared", fields("0", "before", "1", "before", "2", "before", "3", "before"));
        final ExecutorService executor = Executors.newFixedThreadPool(threads);
        try
        {
            final List<Future<Status>> updates = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++)
            {
                final String field = Integer.toString(thread);
                updates.add(executor.submit(() -> countTo(field)));
            }
            for (final Future<Status> update : updates)
            {
                assertEquals(Status.OK, update.get());
            }
        }
        finally
        {
            executor.shutdownNow();
        }
        assertEquals(Map.of("0", "300", "1", "300", "2", "300", "3", "300"), read(client, "shared", null));
    }

    /** Each count is found again before the next one. */
    private static Status countTo(final String field) throws DBException
    {
        final OnesidedClient own = new OnesidedClient();
        connect(own);
        try
        {
            for (int i = 1; i <= 300; i++)
            {
                final Status status = own.update(TABLE, "shared", fields(field, Integer.toString(i)));
                if (!status.isOk())
                {
                    return status;
                }
                assertEquals(Map.of(field, Integer.toString(i)), read(own, "shared", Set.of(field)));
            }
            return Status.OK;
        }
        finally
        {
            own.cleanup();
        }
    }

    @Test
    void shouldNameTheServerThatItCannotReach() throws DBException
    {
        // The process's client is of the properties of its first thread.
        client.cleanup();
        final OnesidedClient other = new OnesidedClient();
        final Properties properties = new Properties();
        properties.setProperty("onesided.server", "127.0.0.1:1");
        properties.setProperty("onesided.device", "shm");
        other.setProperties(properties);
        final DBException failure = assertThrows(DBException.class, other::init);
        assertTrue(failure.getMessage().contains("127.0.0.1:1"), failure::getMessage);
        other.cleanup();

        // And nothing is left of it.
        connect(other);
        final Map<String, ByteIterator> result = new HashMap<>();
        assertEquals(Status.NOT_FOUND, other.read(TABLE, "nobody", null, result));
        assertNull(result.get("a"));
        other.cleanup();
    }

    private static void connect(final OnesidedClient client) throws DBException
    {
        final Properties properties = new Properties();
        properties.setProperty("onesided.server", server.address());
        properties.setProperty("onesided.device", "shm");
        // Only a hang meets it.
        properties.setProperty("onesided.deadline", "60s");
        client.setProperties(properties);
        client.init();
    }

    private static Map<String, String> read(final OnesidedClient by, final String key, final Set<String> wanted)
    {
        return read(TABLE, by, key, wanted);
    }

    private static Map<String, String> read(
        final String table, final OnesidedClient by, final String key, final Set<String> wanted)
    {
        final Map<String, ByteIterator> result = new HashMap<>();
        assertEquals(Status.OK, by.read(table, key, wanted, result));
        return StringByteIterator.getStringMap(result);
    }

    private static Map<String, ByteIterator> fields(final String... namesAndValues)
    {
        final Map<String, ByteIterator> fields = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            fields.put(namesAndValues[i], new StringByteIterator(namesAndValues[i + 1]));
        }
        return fields;
    }
}
